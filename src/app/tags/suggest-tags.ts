import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { readMarks } from '../../domain/tags/marks.ts';
import type { PointStore } from '../../ports/point-store.ts';

const MAX_TAGS = 5;
const MAX_NEIGHBOURS = 200;

/**
 * Suggests tags for a session, best first: those of sessions in its repository with the same files or branch, then the scopes of its
 * commits, the words of its branch, and the folder with most of its changes.
 */
export async function suggestTags(store: PointStore, session: SessionPayload): Promise<string[]> {
  const { repo_id, repo_name, repo_key, branch, commits, files_touched } = session;
  const repo: SessionFilter['repo'] = repo_key === null ? { repo_id, repo_name } : { repo_key };
  const { sessions } = await store.list({ repo }, MAX_NEIGHBOURS);
  const counts = new Map<string, number>();
  for (const other of sessions) {
    if (other.session_id === session.session_id) continue;
    const shared = other.files_touched.filter((file) => files_touched.includes(file)).length;
    const weight = shared + (branch !== null && !TRUNKS.has(branch) && other.branch === branch ? 1 : 0);
    if (weight === 0) continue;
    for (const tag of readMarks(other.tags).tags) counts.set(tag, (counts.get(tag) ?? 0) + weight);
  }
  const known = [...counts].sort((a, b) => b[1] - a[1]).map(([tag]) => tag);
  const scopes = commits.flatMap(({ subject }) => /^\w+\(([^)]+)\)!?:/.exec(subject)?.[1] ?? []);
  const words = branch === null || TRUNKS.has(branch) ? [] : branch.split(/[/_]/).slice(-1);
  const own = readMarks(session.tags).tags;
  const all = [...known, ...scopes, ...words, ...topFolder(files_touched)].map((tag) => tag.toLowerCase());
  return [...new Set(all)].filter((tag) => USABLE.test(tag) && !own.includes(tag)).slice(0, MAX_TAGS);
}

const TRUNKS = new Set(['main', 'master', 'develop', 'trunk']);
/** Valid for `tag`, and no longer than what somebody would type. */
const USABLE = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{1,29}$/u;
/** Folder names that say nothing. */
const PLAIN = new Set(['src', 'lib', 'test', 'tests', 'packages', 'apps', 'app', 'components']);

/** The meaningful folder with the most changed files. */
function topFolder(files: string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = file
      .split(/[\\/]/)
      .slice(0, -1)
      .findLast((part) => part !== '' && !PLAIN.has(part));
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [top] = [...counts].sort((a, b) => b[1] - a[1]);
  return top === undefined ? [] : [top[0]];
}
