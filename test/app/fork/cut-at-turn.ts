import { randomUUID } from 'node:crypto';
import type { ForkDependencies } from '../../../src/app/fork/fork-request.ts';
import { planFork } from '../../../src/app/fork/plan-fork.ts';
import { runPlan } from '../../../src/app/fork/run-plan.ts';
import { nowhere } from '../../../src/app/sessions/locate-session.ts';
import type { ForkJournal } from '../../../src/ports/fork-journal.ts';
import type { TranscriptFile, TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { sessionPayload } from '../../support/transcripts/sample-sessions.ts';
import { machineHere } from './machine.ts';

export interface Cut {
  sessionId: string;
  path: string;
  turn: number;
  /** Number of turns in the original. */
  turns: number;
}

/** Forks a transcript at a turn, without starting the agent. */
export async function cutAtTurn(
  given: TranscriptSource,
  transcript: TranscriptFile,
  turn: number,
  workingDirectory: string,
): Promise<Cut> {
  let path = '';
  const source: TranscriptSource = {
    ...given,
    cut: (from, request) => {
      path = given.cut?.(from, request) ?? '';
      return path;
    },
  };
  const journal = { record: () => 1 } as Partial<ForkJournal> as ForkJournal;
  const deps = {
    sources: [source],
    machine: machineHere(),
    journal,
    newId: randomUUID,
  } as Partial<ForkDependencies> as ForkDependencies;
  const session = sessionPayload({ id: transcript.sessionId, record: { agent: source.agent } });
  const plan = await planFork(deps, {
    session,
    location: { ...nowhere(session, 'posix'), transcript, directory: workingDirectory },
    agent: source.agent,
    query: null,
    rank: null,
    turn,
    inject: false,
    name: null,
  });
  const fork = await runPlan(deps, plan, async (ready) => ready);
  const turns = plan.steps.find((step) => step.do === 'cut')?.turns ?? 0;
  return { sessionId: fork.resultSessionId ?? '', path, turn: fork.turn ?? 0, turns };
}
