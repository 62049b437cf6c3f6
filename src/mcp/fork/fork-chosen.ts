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
import type { Call } from '../tool.ts';

export const forkedSession = z.looseObject({
  session_name: z.string(),
  terminal_id: z.string().nullable().describe('of the opened terminal'),
  resume_session_id: z.string(),
  can_fork: z.boolean(),
  restored: z.boolean().optional(),
  turn: z.number().optional().describe('the last turn of the fork; default: the whole session'),
  command: z.string().describe('for a new terminal'),
  in_session_command: z.string(),
  launched: z.boolean(),
  warnings: z.array(z.string()),
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
      restored: restored?.state === 'restored' || restored?.state === 'replaced' || undefined,
      turn: fork?.turn ?? undefined,
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
  return [`${name}: ${message}.${fix === undefined || status !== 'fail' ? '' : ` ${fix}`}`];
}

async function launchFork(call: Call, launch: boolean, forked: ForkedSession): Promise<ForkedSession> {
  const launcher =
    launch && forked.can_fork && !call.signal.aborted ? configuredTerminal(call.parts.config) : null;
  if (launcher === null) return forked;
  const result = await launcher.launch(forked.command, `fork ${shortId(forked.resume_session_id)}`);
  if ('failed' in result) return { ...forked, warnings: [...forked.warnings, result.failed] };
  return { ...forked, terminal_id: result.terminalId, launched: true };
}

/** For clients that show their model the text: shorter than the same in the structured answer. */
export function forkedText(forked: ForkedSession): string {
  const { launched, terminal_id, can_fork, command, turn, resume_session_id, warnings } = forked;
  const what = launched ? `Opened in ${terminal_id}` : can_fork ? 'In a new terminal' : 'Prints its context';
  const isWhole = can_fork && !launched && turn === undefined;
  const notes = warnings.map((warning) => warning.split(': ')[0]);
  return [
    `${what}: ${isWhole ? `smart-fork fork ${shortId(resume_session_id)}` : command}`,
    ...(notes.length === 0 ? [] : [`note: see warnings (${notes.join(', ')})`]),
  ].join('\n');
}
