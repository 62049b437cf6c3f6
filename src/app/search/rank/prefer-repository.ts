import type { SessionPayload } from '../../../domain/point/point.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { Presented } from '../present-result.ts';
import { matchesRepository, type PreferredRepository } from '../repository-filter.ts';
import { withPart } from './with-part.ts';

interface Preference {
  /** Undefined if no repository is preferred. */
  repository: PreferredRepository | undefined;
  /** Number of results to return. */
  most: number;
}

/** Only decides between nearly equal results (docs/internals/ranking.md). */
const WEIGHT = 0.05;

/**
 * The first results, after the repository's sessions are raised by WEIGHT, with its name in them. Sessions named in the query stay
 * first. `known`: the sessions that were fetched for that.
 */
export async function preferRepository(
  store: Pick<PointStore, 'getSessions'>,
  ranked: Presented[],
  { repository, most }: Preference,
): Promise<{ first: Presented[]; names: Map<string, string>; known: SessionPayload[] }> {
  const first = ranked.slice(0, most);
  if (repository === undefined || first.length === 0) return { first, names: new Map(), known: [] };
  const named = ranked.filter(({ found_by }) => found_by !== undefined);
  const others = ranked.filter(({ found_by }) => found_by === undefined);
  // Sessions with a lower score cannot rise into the first results.
  const least = (others[most - 1]?.score ?? 0) - WEIGHT;
  const near = others.filter(({ score }) => score >= least);
  const known = await store.getSessions(near.map(({ session_id }) => session_id));
  const names = namesIn(known, repository);
  const raised = near
    .map((one) => withPart(one, 'repository', names.has(one.session_id) ? 1 : 0, WEIGHT))
    .sort((a, b) => b.score - a.score);
  return { first: [...named, ...raised].slice(0, most), names, known };
}

/** The repository's name if preferring it changed the first `limit` results, else undefined. */
export function preferredAmong(
  results: Presented[],
  limit: number,
  names: Map<string, string>,
): string | undefined {
  const [named, others] = [true, false].map((isNamed) =>
    results.filter(({ found_by }) => (found_by !== undefined) === isNamed),
  );
  const unraised = others?.toSorted((a, b) => scoreWithout(b) - scoreWithout(a)) ?? [];
  const alike = [...(named ?? []), ...unraised].slice(0, limit);
  const isChanged = alike.some(({ session_id }, at) => session_id !== results[at]?.session_id);
  return isChanged ? results.flatMap(({ session_id }) => names.get(session_id) ?? [])[0] : undefined;
}

function scoreWithout({ score, scores }: Presented): number {
  return score - WEIGHT * (scores.parts.repository ?? 0);
}

/** The repository's sessions, each with the name it gives the repository. */
function namesIn(sessions: SessionPayload[], repository: PreferredRepository): Map<string, string> {
  return new Map(
    sessions
      .filter((session) => matchesRepository(repository, session))
      .map(({ session_id, repo_name }) => [session_id, repo_name]),
  );
}
