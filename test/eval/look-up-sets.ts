import { readFileSync } from 'node:fs';
import type { SessionPayload } from '../../src/domain/point/point.ts';
import { shortIdAmong } from '../../src/domain/session/session-id.ts';
import type { QuerySet } from './query-sets.ts';
import type { Query } from './read-queries.ts';

/**
 * Queries that name their sessions: a commit whose hash a right session's transcript holds, by its first seven digits and whole; each session's id as
 * it is printed; and of each session that has one, a file that no other session changed, by the end of its path.
 */
export function lookUpSets(sessions: SessionPayload[], all: Query[], paths: string[]): QuerySet[] {
  const ids = new Set(sessions.map(({ session_id }) => session_id));
  const commits = heldIn(
    all.filter((query) => query.commit !== null && query.sessions.some((id) => ids.has(id))),
    paths,
  );
  const shortId = shortIdAmong([...ids]);
  const naming = (text: string, id: string): Query => ({
    text,
    sessions: [id],
    time: null,
    commit: null,
    also: [],
  });
  return [
    { name: 'commits, seven digits', queries: commits.map((one) => hashOf(one, 7)) },
    { name: 'commits, whole', queries: commits.map((one) => hashOf(one, 40)) },
    { name: 'session ids', queries: [...ids].map((id) => naming(shortId(id), id)) },
    { name: 'files', queries: ownFiles(sessions).map(({ id, file }) => naming(file, id)) },
  ].filter(({ queries }) => queries.length > 0);
}

function hashOf(query: Query, digits: number): Query {
  return { ...query, text: (query.commit ?? '').slice(0, digits), also: [] };
}

function heldIn(commits: Query[], paths: string[]): Query[] {
  return commits.filter(({ commit, sessions }) =>
    paths
      .filter((path) => sessions.some((id) => path.includes(id)))
      .some((path) => readFileSync(path).includes((commit ?? '').slice(0, 7))),
  );
}

/** Enough of a path to tell it from files of the same name. */
const PARTS_OF_PATH = 3;

function ownFiles(sessions: SessionPayload[]): { id: string; file: string }[] {
  const endOf = (path: string) => path.split('/').slice(-PARTS_OF_PATH).join('/');
  const changed = new Map<string, Set<string>>();
  for (const { session_id, files_touched } of sessions)
    for (const file of files_touched.map(endOf))
      changed.set(file, (changed.get(file) ?? new Set()).add(session_id));
  return sessions.flatMap(({ session_id: id, files_touched }) => {
    const file = files_touched
      .map(endOf)
      .find((one) => changed.get(one)?.size === 1 && /^\S+\/\S+$/.test(one));
    return file === undefined ? [] : [{ id, file }];
  });
}
