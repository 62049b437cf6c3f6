import * as z from 'zod';
import { prepareFork } from '../../app/fork/prepare-fork.ts';
import { composePreflight } from '../../compose/fork.ts';
import { processEnvironment } from '../../config/environment.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { warnings } from '../schemas.ts';
import type { Call } from '../tool.ts';

export const forkedSession = z.object({
  session_name: z.string(),
  terminal_id: z.string().nullable().describe('the terminal that was opened; null when none was'),
  resume_session_id: z.string(),
  can_fork: z.boolean(),
  restored: z.boolean().describe('whether its transcript was brought back for this'),
  jsonl_path: z.string().nullable(),
  checks: z
    .array(
      z.object({
        name: z.string(),
        status: z.enum(['ok', 'warn', 'fail']),
        message: z.string(),
        fix: z.string().optional(),
      }),
    )
    .describe('what to expect of the fork; what is not ok is among the warnings too'),
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
  if (call.signal.aborted) throw new SmartForkError('USAGE', 'cancelled');
  const preflight = composePreflight(call.parts, processEnvironment());
  const fork = await prepareFork({ ...call.parts, ...preflight }, session, await folderFor(session, call));
  const forked: ForkedSession = {
    session_name: session.title,
    terminal_id: null,
    resume_session_id: session.session_id,
    can_fork: fork.can_fork,
    restored: fork.restored,
    jsonl_path: fork.jsonl_path,
    checks: fork.checks,
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

/** Where the fork of a restored session starts: in the project, else where the session was had, else where this server runs. */
async function folderFor({ working_directory }: SessionPayload, call: Call): Promise<string> {
  const project = await call.project();
  if (project !== null) return project;
  return call.parts.machine.directoryExists(working_directory) ? working_directory : call.workingDirectory;
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
