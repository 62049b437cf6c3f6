import type { SessionFilter } from '../../../domain/search/search.ts';
import { commitStart } from '../../../domain/session/commit-hash.ts';
import type { Connection } from '../http/connection.ts';
import type { Schemas } from '../types.ts';
import { is, sessionConditions, withTypes } from './filters.ts';
import { fileName } from './stored-payload.ts';

/** A request names these sessions again: 40 KB. */
const MAX_RESOLVED = 1000;

/**
 * Resolves filters by file and by commit to session ids. The server matches a file's name; the end of its path, which the server cannot
 * compare, is checked here. Costs an extra request, which finds the newest MAX_RESOLVED sessions.
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
  // The paths of a session may be thousands, and a name is all that its index has.
  const isName = !path?.includes('/');
  const { points } = await connection.scroll({
    filter: withTypes(conditions, ['session'], ...candidates),
    order_by: { key: 'session_ended_ms', direction: 'desc' },
    limit: MAX_RESOLVED,
    with_payload: isName ? ['session_id'] : ['session_id', 'files_touched'],
  });
  const matching = points.filter(({ payload }) => {
    const files: unknown = payload?.files_touched;
    return isName || (Array.isArray(files) && files.some((one) => endsWithPath(String(one), path ?? '')));
  });
  return { ...others, sessionIds: matching.map(({ payload }) => String(payload?.session_id)) };
}

function endsWithPath(file: string, path: string): boolean {
  const slashed = file.replaceAll('\\', '/');
  return slashed === path || slashed.endsWith(`/${path}`);
}
