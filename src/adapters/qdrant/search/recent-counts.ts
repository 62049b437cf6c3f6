import { type Coverage, listLimits } from '../../../domain/search/search.ts';
import type { FindQuery } from '../../../ports/point-store.ts';
import type { SizeNote } from '../options.ts';

/** A minute: counting the points without a vector takes a server 18 ms among half a million. */
const COUNTS_MS = 60_000;
/** Five minutes, per word. */
const FREQUENCIES_MS = 300_000;
const MAX_WORDS = 5000;

/** What a handle knows of its collection without asking again. */
export interface RecentCounts {
  /** Number of sessions when last counted, however long ago; infinite if unknown. Determines how long lists are requested. */
  sessions(): number;
  /** The counts of the last minute, if they suffice for the query. */
  coverage(query: FindQuery): Counted | null;
  note(counted: Counted): void;
  /** Document frequencies of the last minutes, by token. */
  frequencies(of: Frequencies): Map<string, number>;
  noteFrequencies(among: Frequencies['among'], counts: Map<string, number>): void;
  /** After a write through the same handle. */
  forget(): void;
}

type Frequencies = NonNullable<FindQuery['frequencies']>;

interface Counted {
  /** The store that was counted: a collection may be created again under the same name. */
  storeId: string;
  coverage: Coverage;
  /** Whether the points without a vector were counted as well. */
  withWaiting: boolean;
}

export function createRecentCounts(size: SizeNote | undefined, now: () => number): RecentCounts {
  let last: (Counted & { at: number }) | null = null;
  const words = new Map<string, { count: number; at: number }>();
  const isRecent = ({ at }: { at: number }, life: number) => Math.abs(now() - at) < life;
  return {
    sessions: () => last?.coverage.sessions ?? size?.read() ?? Number.POSITIVE_INFINITY,
    coverage: (query) => (last !== null && isRecent(last, COUNTS_MS) && suffices(last, query) ? last : null),
    note(counted) {
      last = { ...counted, at: now() };
      const { sessions } = counted.coverage;
      const noted = size?.read() ?? null;
      if (noted === null || listLimits(noted).chunks !== listLimits(sessions).chunks) size?.write(sessions);
    },
    frequencies: ({ of, among }) =>
      new Map(
        of.flatMap((token) => {
          const known = words.get(`${among} ${token}`);
          return known !== undefined && isRecent(known, FREQUENCIES_MS) ? [[token, known.count]] : [];
        }),
      ),
    noteFrequencies(among, counts) {
      for (const [token, count] of counts) {
        words.delete(`${among} ${token}`);
        // A word that occurs nowhere is cheap to ask for, and may be in the next session.
        if (count > 0) words.set(`${among} ${token}`, { count, at: now() });
      }
      for (const oldest of words.keys()) if (words.size > MAX_WORDS) words.delete(oldest);
    },
    forget() {
      last = null;
      words.clear();
    },
  };
}

/**
 * An empty collection is about to be filled, and one that lacks half of its vectors is not searched by meaning: they are counted
 * again by every search.
 */
function suffices({ coverage, withWaiting }: Counted, query: FindQuery): boolean {
  if (coverage.sessions === 0 || !asksForVectors(query)) return coverage.sessions > 0;
  const { chunks, intents, waiting } = coverage;
  return withWaiting && waiting.chunks * 2 <= chunks && waiting.intents * 2 <= intents;
}

/** Only a search by meaning reads how many points lack a vector. */
export function asksForVectors({ vector, also = [] }: FindQuery): boolean {
  return [vector, ...also.map((phrasing) => phrasing.vector)].some((one) => one !== null);
}
