import type { SessionRecord } from './session.ts';
import { joinTitle } from './title-line.ts';

/** What tells sessions of one title apart. */
export type Titled = Pick<
  SessionRecord,
  'session_id' | 'title' | 'commits' | 'branch' | 'files_touched' | 'started_at' | 'repo_name'
>;

/**
 * The sessions of a list, in their order, where those of the same title have what is different in each after it: what they committed,
 * where they worked, or when. Every list goes through this, so no two sessions in it look the same.
 */
export function tellApart<S extends Titled>(sessions: S[]): S[] {
  const groups = new Map<string, Map<string, S>>();
  for (const one of sessions) {
    const title = one.title.toLowerCase();
    const group = groups.get(title) ?? new Map<string, S>();
    groups.set(title, group.set(one.session_id, one));
  }
  if (groups.size === sessions.length) return sessions;
  const titles = new Map<string, string>();
  for (const group of groups.values()) if (group.size > 1) nameApart([...group.values()], titles);
  return sessions.map((one) => ({ ...one, title: titles.get(one.session_id) ?? one.title }));
}

/** Takes the first difference that all of them have, or else the time or the id. */
function nameApart(group: Titled[], titles: Map<string, string>): void {
  for (const difference of DIFFERENCES) {
    const named = group.map((one) => joinTitle(one.title, difference(one)));
    if (new Set(named.map((title) => title.toLowerCase())).size < group.length) continue;
    for (const [at, { session_id }] of group.entries()) titles.set(session_id, named[at] ?? '');
    return;
  }
}

const DIFFERENCES: ((session: Titled) => string | null)[] = [
  ({ commits, title }) => commits.find(({ subject }) => subject !== title && subject !== '')?.subject ?? null,
  ({ branch }) => (branch === 'HEAD' ? null : branch),
  ({ repo_name }) => repo_name || null,
  ({ files_touched }) => files_touched[0]?.split(/[\\/]/).at(-1) ?? null,
  ({ started_at }) => started_at?.slice(0, 10) ?? null,
  ({ started_at }) => started_at?.slice(0, 19).replace('T', ' ') ?? null,
  ({ session_id }) => session_id.slice(-36),
];
