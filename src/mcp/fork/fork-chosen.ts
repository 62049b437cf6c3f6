import * as z from 'zod';
import { planFork } from '../../app/fork/plan-fork.ts';
import { prepareFork, restoreNotes } from '../../app/fork/prepare-fork.ts';
import { printPlan } from '../../app/fork/print-plan.ts';
import { composeFork, configuredTerminal } from '../../compose/fork.ts';
import { processEnvironment } from '../../config/environment.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { DoctorCheck } from '../../domain/server-state.ts';
import { shortId } from '../../domain/session/session-id.ts';
import { warnings } from '../schemas.ts';
import type { Call } from '../tool.ts';

export const forkedSession = z.object({
  session_name: z.string(),
  terminal_id: z.string().nullable().describe('the terminal that was opened, or null'),
  resume_session_id: z.string(),
  can_fork: z.boolean(),
  restored: z.boolean().describe('whether its transcript was restored for this fork'),
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
    .describe('checks before the fork; those that are not ok are also in warnings'),
  turn: z.number().nullable().describe('the last turn of the fork; null: the whole session'),
  command: z.string().describe('for a new terminal'),
  in_session_command: z.string(),
  launched: z.boolean(),
  warnings,
});
export type ForkedSession = z.infer<typeof forkedSession>;

interface ChosenSession {
  session: SessionPayload;
  query: string;
  /** Rank in the results, from 1. */
  rank: number;
  /** The last turn of the fork, from 1; null: the whole session. */
  turn: number | null;
}

/** Prepares the fork of a session. `launch` opens it in the user's configured terminal, if there is one. */
export async function forkChosen(call: Call, chosen: ChosenSession, launch: boolean): Promise<ForkedSession> {
  if (call.signal.aborted) throw new SmartForkError('USAGE', 'cancelled');
  const { session } = chosen;
  const forkParts = composeFork(call.parts, processEnvironment(), ({ message }) =>
    call.log(`could not record this fork: ${message}`),
  );
  try {
    const deps = await forkParts.dependencies();
    const currentDirectory = (await call.project()) ?? call.workingDirectory;
    const prepared = await prepareFork(deps, {
      session,
      currentDirectory,
      restoreNow: true,
      turn: chosen.turn,
    });
    const { location, flight, restored, problem } = prepared;
    const request = { ...chosen, location, agent: session.agent, inject: false, name: null };
    const fork = location.canFork ? await printPlan(deps, await planFork(deps, request)) : null;
    const { command } = fork ?? location;
    return launchFork(call, launch, {
      session_name: session.title,
      terminal_id: null,
      resume_session_id: session.session_id,
      can_fork: location.canFork,
      restored: restored?.state === 'restored' || restored?.state === 'replaced',
      jsonl_path: location.transcript?.path ?? null,
      checks: flight.checks,
      turn: fork?.turn ?? null,
      command,
      in_session_command: call.inSessionCommand(session.session_id),
      launched: false,
      warnings: [
        ...(problem === null ? [] : [`Its transcript could not be restored: ${problem}`]),
        ...(restored === null ? [] : restoreNotes(restored)),
        ...(chosen.turn === null
          ? []
          : (fork?.notes ?? ['The session cannot be forked at a turn: its transcript is not here.'])),
        ...flight.checks.flatMap(warningOf),
      ],
    });
  } finally {
    forkParts.close();
  }
}

function warningOf({ name, status, message, fix }: DoctorCheck): string[] {
  if (status === 'ok') return [];
  return [`${name}: ${message}.${fix === undefined ? '' : ` ${fix}`}`];
}

async function launchFork(call: Call, launch: boolean, forked: ForkedSession): Promise<ForkedSession> {
  const launcher =
    launch && forked.can_fork && !call.signal.aborted ? configuredTerminal(call.parts.config) : null;
  if (launcher === null) return forked;
  const result = await launcher.launch(forked.command, `fork ${shortId(forked.resume_session_id)}`);
  if ('failed' in result) return { ...forked, warnings: [...forked.warnings, result.failed] };
  return { ...forked, terminal_id: result.terminalId, launched: true };
}

export function forkedText(forked: ForkedSession): string {
  const { session_name, resume_session_id, launched, terminal_id, can_fork, command, in_session_command } =
    forked;
  return [
    `You selected: session ${shortId(resume_session_id)} (${session_name})`,
    '',
    launched ? `Opened in ${terminal_id}:` : can_fork ? 'Fork command (not copied):' : 'Prints its context:',
    command,
    '',
    'Or in this conversation:',
    in_session_command,
    ...forked.warnings.map((warning) => `note: ${warning}`),
  ].join('\n');
}
