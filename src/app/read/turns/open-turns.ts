import { markOf } from '../../../domain/agent/change-mark.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import type { TranscriptFile, TranscriptSource } from '../../../ports/transcript-source.ts';
import { storedTurns } from '../../sessions/conversation/stored-conversation.ts';
import type { Turn } from '../../sessions/conversation/turn.ts';
import { locateSession } from '../../sessions/locate-session.ts';
import { type LocatedTurn, locateTurns } from '../../sessions/locate-turns.ts';
import type { ReadDependencies } from '../retrieve-session.ts';
import { withTranscript } from '../with-transcript.ts';

/** A session and its turns. Texts from a transcript are not redacted yet. */
export interface SessionTurns {
  turns: (Turn & Partial<Pick<LocatedTurn, 'place'>>)[];
  /** Null if there is no transcript, so that the turns come from the stored passages. */
  transcript: { source: TranscriptSource; file: TranscriptFile; ofSubagent: boolean } | null;
  problem: string | null;
}

/** The turns of recently read transcripts. */
export interface TurnCache {
  get(file: TranscriptFile, read: () => LocatedTurn[]): LocatedTurn[];
}

/** Runs `work` with a session's turns while its transcript is available. Without a transcript, the turns come from the store. */
export async function openTurns<T>(
  deps: ReadDependencies & { cache: TurnCache },
  session: SessionPayload,
  work: (opened: SessionTurns) => Promise<T>,
): Promise<T> {
  const { found, problem } = await withTranscript(
    deps,
    session,
    locateSession(deps, session),
    async (source, path, parents) => {
      const file = source.inspect(path);
      if (file === null) return null;
      const turns = deps.cache.get(file, () => locateTurns(source, path, parents));
      return { value: await work({ turns, transcript: { source, file, ofSubagent: false }, problem: null }) };
    },
  );
  if (found !== null) return found.value;
  return work({ turns: await storedTurns(deps.store, session), transcript: null, problem });
}

/** UTF-16 units of text to cache; at least one transcript is always cached. */
const MAX_LENGTH = 64_000_000;

/** A cache for a process that answers many questions about the same sessions. A transcript that grew is read again. */
export function createTurnCache(): TurnCache {
  const held = new Map<string, { stamp: string; turns: LocatedTurn[]; length: number }>();
  const shrink = () => {
    let total = [...held.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [path, { length }] of held) {
      if (total <= MAX_LENGTH || held.size === 1) return;
      held.delete(path);
      total -= length;
    }
  };
  return {
    get(file, read) {
      const stamp = JSON.stringify(markOf(file));
      const known = held.get(file.path);
      const entry = known?.stamp === stamp ? known : { stamp, ...measured(read()) };
      // Moves it to the end, as the most recently used.
      held.delete(file.path);
      held.set(file.path, entry);
      shrink();
      return entry.turns;
    },
  };
}

function measured(turns: LocatedTurn[]) {
  return {
    turns,
    length: turns.reduce((sum, { user, assistant }) => sum + user.length + assistant.length, 0),
  };
}
