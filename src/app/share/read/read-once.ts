import { SmartForkError } from '../../../domain/errors.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import { listLimits, numbersIn, type StoredPoint } from '../../../domain/search/search.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import type { Findings, FindQuery, KnownCoverage, PointStore, Reading } from '../../../ports/point-store.ts';
import { coverageIn } from '../../search/coverage-in.ts';
import type { AskRemote } from './fall-back.ts';
import { mergeLists, within, without } from './merge-answers.ts';
import type { BothStores } from './read-both.ts';

/** What the server had so long ago is good enough, where it had a vector for everything. Milliseconds. */
const FRESH_MS = 600_000;

type Query = Omit<FindQuery, 'limits' | 'known'>;

/** What one search has brought from the server: it is not asked for again. */
export interface Seen {
  sessions: Map<string, SessionPayload>;
  points: Map<string, StoredPoint>;
  statistics: Findings['statistics'] | null;
}

export function nothingSeen(): Seen {
  return { sessions: new Map(), points: new Map(), statistics: null };
}

/**
 * Both stores' part in one search.
 * @param store reads both, and what was seen.
 */
export function createReading(
  { outbox, now }: BothStores,
  { store, local, ask, seen }: { store: PointStore; local: PointStore; ask: AskRemote; seen: Seen },
): Reading {
  return {
    ...store,
    async begin(query) {
      const noted = outbox.coverage();
      const limits = listLimits(noted?.coverage.sessions ?? 0);
      const known = usable(noted, now());
      const own = outbox.waiting().slice(0, MOST_WAITING);
      const filter = without(query.filter, own);
      const there = await ask((remote) => findIn(remote, { ...query, filter, limits, known }));
      if (there === null) return hereAlone(query, await findIn(local, { ...query, limits, known: null }));
      const found = there.answer;
      if (found.coverage !== known?.coverage) note(outbox, found);
      see(seen, found);
      if (own.length === 0) return found;
      const here = await findInSteps(local, { ...query, filter: within(query.filter, own) });
      const { coverage, statistics } = larger(found, here);
      seen.statistics = statistics;
      return {
        lists: mergeLists(found.lists, here.lists, limits),
        coverage,
        model: found.model ?? here.model,
        ...(found.vectorRefused && { vectorRefused: found.vectorRefused }),
      };
    },
  };
}

/** Sessions that are looked for here, and not there. */
export const MOST_WAITING = 1000;

function usable(noted: (KnownCoverage & { at: number }) | null, now: number): KnownCoverage | null {
  if (noted === null) return null;
  const { coverage, at } = noted;
  const isWhole = coverage.sessions > 0 && coverage.waiting.chunks + coverage.waiting.intents === 0;
  return isWhole && Math.abs(now - at) < FRESH_MS ? coverageOf(noted) : null;
}

function coverageOf({ storeId, coverage }: KnownCoverage): KnownCoverage {
  return { storeId, coverage };
}

function findIn(store: PointStore, query: FindQuery): Promise<Findings> {
  return store.find === undefined ? findInSteps(store, query) : store.find(query);
}

/** For a store that is near, or has no better way. */
export async function findInSteps(store: PointStore, query: Query): Promise<Findings> {
  const [info, coverage] = await Promise.all([store.info(), coverageIn(store)]);
  const limits = listLimits(coverage.sessions);
  const [lists, statistics] = await Promise.all([
    store.search({ ...query, limits }),
    store.tokenStatistics(query.words, 'chunks'),
  ]);
  return {
    storeId: info.storeId,
    model: info.model,
    coverage,
    lists,
    statistics,
    sessions: [],
    points: [],
  };
}

/** A query that the server was to embed has no vector without it. */
function hereAlone(query: Query, found: Findings): Findings {
  if (query.vector === null || numbersIn(query.vector) !== null) return found;
  return { ...found, vectorRefused: { message: 'it is the server that embeds', hint: null } };
}

/** Two collections' frequencies do not add up; the larger one's are the better guess. */
function larger(one: Findings, other: Findings): Findings {
  return one.coverage.chunks >= other.coverage.chunks ? one : other;
}

function see(seen: Seen, { sessions, points, statistics }: Findings): void {
  for (const session of sessions) seen.sessions.set(session.session_id, session);
  // Who searches wants the texts: which of them have a vector is not known.
  for (const point of points) seen.points.set(point.id, { ...point, hasVector: false });
  seen.statistics = statistics;
}

/** Where notes cannot be written, it is asked again the next time. */
function note(outbox: Outbox, known: KnownCoverage): void {
  try {
    outbox.noteCoverage(coverageOf(known));
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
  }
}
