import { commitsOf, type GitStep } from '../../../session/calls/git-steps.ts';
import type { TranscriptEvent } from '../../../session/transcript-event.ts';
import { followCommit } from '../follow-topics.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { leaveIdea } from '../note-idea.ts';
import { addCommit } from './read-commits.ts';

const MAX_CALLS = 24;

/** A command begins. A tool call's line contains it after the tool's name. */
export function addCall(state: MemoryState, call: string, line: string, git: GitStep[] = []): void {
  if (!line.startsWith('Bash: ')) return;
  if (commitsOf(git).length > 0) addRunning(state, { call, git });
  if (!DELIVERS.test(line)) return;
  state.turn.worked = true;
  leaveSteps(state);
}

const DELIVERS =
  /\bgit\b[^|;&]{0,60}?\b(?:commit|push|merge|rebase)\b|\bgh (?:pr|issue) (?:create|merge|ready|close)\b|\bnpm publish\b/;

function addRunning(state: MemoryState, call: MemoryState['calls'][number]): void {
  state.calls = [...state.calls.slice(-MAX_CALLS + 1), call];
}

/** The step that commits is begun, and those before it are over, whether the agent ticked them off or not. */
function leaveSteps(state: MemoryState): void {
  const at = state.todos.findLastIndex(({ text }) => SHIPS.test(text));
  for (const { idea } of state.todos.slice(0, at + 1)) leaveIdea(state, idea);
}

const SHIPS = /\b(?:commit|push|pr|pull request|merge|release|publish)\b/i;

/** A call's command continues in a background process; a later call waits for it. */
export function addProcess(state: MemoryState, call: string, process: string): void {
  const own = state.calls.find((one) => one.call === call);
  const begun = state.calls.find((one) => one.process === process);
  if (own !== undefined) own.process = process;
  else if (begun !== undefined) addRunning(state, { ...begun, call });
}

/** Wrappers of git print no commit report, so the subject is taken from the command, once it has passed. */
export function addResult(
  state: MemoryState,
  { call, failed, error, uncommitted }: Extract<TranscriptEvent, { kind: 'result' }>,
  at: Place,
): void {
  const own = state.calls.find((one) => one.call === call);
  if (own === undefined) return;
  state.calls = state.calls.filter((one) => one !== own);
  if (failed || error !== null || state.turn.committed === at.line) return;
  for (const { does, subject } of commitsOf(own.git, uncommitted)) {
    if (does === 'amend' || subject === '') continue;
    followCommit(state, subject, at);
    if (subject.length > 8) addCommit(state, { hash: '', subject }, at);
  }
}
