import { SmartForkError } from '../../domain/errors.ts';
import { idToType } from '../../domain/session/session-id.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { turnOffsets } from '../sessions/read-conversation.ts';

interface TurnForkRequest {
  transcript: TranscriptFile;
  /** The last turn of the fork, counted from 1 as in `smart-fork show`. */
  turn: number;
  /** The folder in which the fork will be resumed. */
  workingDirectory: string;
  /** The fork's id. */
  sessionId: string;
}

interface TurnFork {
  sessionId: string;
  path: string;
  /** Size of the copy in bytes. */
  bytes: number | null;
  turn: number;
  /** Number of turns in the original. */
  turns: number;
}

/**
 * Copies a transcript up to the end of a turn to a path where the agent finds it. The original is only read.
 * @throws SmartForkError as `countTurns`; TRANSCRIPT_UNREADABLE
 */
export function forkAtTurn(source: TranscriptSource, request: TurnForkRequest): TurnFork {
  const { transcript, turn, sessionId, workingDirectory } = request;
  const turns = countTurns(source, transcript, turn);
  const end = turnOffsets(source, transcript.path)[turn] ?? transcript.size;
  const path = source.cut?.(transcript.path, { end, sessionId, workingDirectory }) ?? '';
  return { sessionId, path, turn, bytes: source.inspect(path)?.size ?? null, turns };
}

/**
 * Counts the turns of a session that is to be forked at one of them.
 * @throws SmartForkError USAGE for a turn that does not exist, and for agents that cannot resume a copy
 */
export function countTurns(source: TranscriptSource, transcript: TranscriptFile, turn: number): number {
  if (source.cut === undefined) {
    throw new SmartForkError('USAGE', `${source.agent} cannot resume a session cut at a turn`, {
      hint: 'Fork the whole session: leave out --at.',
    });
  }
  return checkTurn(transcript, turn, turnOffsets(source, transcript.path).length);
}

/** @throws SmartForkError USAGE for a turn that does not exist */
export function checkTurn({ sessionId }: TranscriptFile, turn: number, turns: number): number {
  if (!Number.isInteger(turn) || turn < 1 || turn > turns) {
    throw new SmartForkError('USAGE', `the session has no turn ${turn}: it has ${turns}`, {
      hint: `smart-fork show ${idToType(sessionId)} lists them.`,
    });
  }
  return turns;
}
