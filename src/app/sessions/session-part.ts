import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { locateTurns } from './locate-turns.ts';

/** A session up to a turn. */
export interface SessionPart {
  /** Number of turns in the whole session. */
  turns: number;
  /** Whether the part has an answer: an agent cannot continue from a prompt alone. */
  isAnswered: boolean;
  /** The transcript with the part's last turn, which may be a parent's, and where the part ends in it. */
  path: string;
  end: number | undefined;
}

/** @param turn counted from 1 */
export function partUntil(
  source: TranscriptSource,
  { path }: TranscriptFile,
  turn: number,
  parents: TranscriptFile[] = [],
): SessionPart {
  const turns = locateTurns(source, path, parents);
  const part = turns.filter(({ index }) => index < turn);
  const last = part.at(-1)?.place;
  return {
    turns: (turns.at(-1)?.index ?? -1) + 1,
    isAnswered: part.some(({ assistant, tools }) => assistant !== '' || tools.length > 0),
    path: last?.path ?? path,
    end: part.length === turns.length ? undefined : last?.to,
  };
}
