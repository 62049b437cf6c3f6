import * as z from 'zod';
import { prepareFork } from '../app/prepare-fork.ts';
import type { SessionPayload } from '../domain/point.ts';
import { warnings } from './schemas.ts';
import type { Call } from './tool.ts';

export const forkedSession = z.object({
  session_name: z.string(),
  terminal_id: z.string().nullable().describe('the terminal that was opened; null when none was'),
  resume_session_id: z.string(),
  can_fork: z.boolean(),
  command: z.string().describe('for a new terminal'),
  in_session_command: z.string(),
  launched: z.boolean(),
  warnings,
});
export type ForkedSession = z.infer<typeof forkedSession>;

/** Prepares the fork of a session; opens it in a terminal when `launch` is asked for and the user has set one. */
export async function forkChosen(
  call: Call,
  session: SessionPayload,
  launch: boolean,
): Promise<ForkedSession> {
  const fork = await prepareFork(call.parts, session);
  const forked: ForkedSession = {
    session_name: session.title,
    terminal_id: null,
    resume_session_id: session.session_id,
    can_fork: fork.can_fork,
    command: fork.command,
    in_session_command: call.inSessionCommand(session.session_id),
    launched: false,
    warnings: fork.warnings,
  };
  const launcher = launch && fork.can_fork && !call.signal.aborted ? await call.parts.launcher() : null;
  if (launcher === null) return forked;
  const result = await launcher.launch(fork.command, `fork ${session.session_id.slice(0, 8)}`);
  if ('failed' in result) return { ...forked, warnings: [...fork.warnings, result.failed] };
  return { ...forked, terminal_id: result.terminalId, launched: true };
}

export function forkedText(forked: ForkedSession): string {
  const { session_name, resume_session_id, launched, terminal_id, can_fork, command, in_session_command } =
    forked;
  return [
    `You selected: session ${resume_session_id.slice(0, 8)} (${session_name})`,
    '',
    launched
      ? `Opened in ${terminal_id}:`
      : can_fork
        ? 'Fork command (not copied):'
        : 'Its context, printed:',
    command,
    '',
    'Or in this conversation:',
    in_session_command,
    ...forked.warnings.map((warning) => `note: ${warning}`),
  ].join('\n');
}
