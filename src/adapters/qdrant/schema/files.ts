import type { SessionFilter } from '../../../domain/search/search.ts';
import type { Connection } from '../http/connection.ts';
import { scrollAll } from '../http/scroll.ts';
import { is, sessionConditions, withTypes } from './filters.ts';
import { fileName } from './stored-payload.ts';

/**
 * Turns a filter by file into one by session ids. The server matches the file's name; the end of its path, which the server cannot
 * compare, is checked here. Costs an extra request.
 */
export async function resolveFile(connection: Connection, filter: SessionFilter): Promise<SessionFilter> {
  const { file, ...others } = filter;
  if (!file) return filter;
  const path = file.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '');
  const conditions = sessionConditions(others);
  const sessionIds: string[] = [];
  if (conditions !== null && path !== '') {
    const candidates = withTypes(conditions, ['session'], is('file_names', fileName(path)));
    for await (const { payload } of scrollAll(connection, candidates, ['session_id', 'files_touched'], {
      page: 256,
    })) {
      const files: unknown = payload?.files_touched;
      if (Array.isArray(files) && files.some((one) => endsWithPath(String(one), path))) {
        sessionIds.push(String(payload?.session_id));
      }
    }
  }
  return { ...others, sessionIds };
}

function endsWithPath(file: string, path: string): boolean {
  const slashed = file.replaceAll('\\', '/');
  return slashed === path || slashed.endsWith(`/${path}`);
}
