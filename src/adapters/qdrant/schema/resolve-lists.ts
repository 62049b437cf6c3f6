import type { SessionFilter } from '../../../domain/search/search.ts';
import { commitStart } from '../../../domain/session/commit-hash.ts';
import type { Connection } from '../http/connection.ts';
import { scrollAll } from '../http/scroll.ts';
import type { Schemas } from '../types.ts';
import { is, sessionConditions, withTypes } from './filters.ts';
import { fileName } from './stored-payload.ts';

/**
 * Resolves filters by file and by commit to session ids. The server matches a file's name; the end of its path, which the server cannot
 * compare, is checked here. Costs an extra request.
 */
export async function resolveLists(connection: Connection, filter: SessionFilter): Promise<SessionFilter> {
  const { file, commit, ...others } = filter;
  if (!file && !commit) return filter;
  const path = file?.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
  const conditions = path === '' ? null : sessionConditions(others);
  if (conditions === null) return { ...others, sessionIds: [] };
  const candidates: Schemas['FieldCondition'][] = [
    ...(path ? [is('file_names', fileName(path))] : []),
    ...(commit ? [is('commit_starts', commitStart(commit))] : []),
  ];
  const found = withTypes(conditions, ['session'], ...candidates);
  const sessionIds: string[] = [];
  for await (const { payload } of scrollAll(connection, found, ['session_id', 'files_touched'], {
    page: 256,
  })) {
    const files: unknown = payload?.files_touched;
    const hasFile = Array.isArray(files) && files.some((one) => endsWithPath(String(one), path ?? ''));
    if (!path || hasFile) sessionIds.push(String(payload?.session_id));
  }
  return { ...others, sessionIds };
}

function endsWithPath(file: string, path: string): boolean {
  const slashed = file.replaceAll('\\', '/');
  return slashed === path || slashed.endsWith(`/${path}`);
}
