import type * as z from 'zod';
import type { filesOfSessions } from '../../domain/json/conversation.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import { relativePath } from '../../domain/session/tool-line.ts';
import type { PointStore } from '../../ports/point-store.ts';

type FileOfSessions = z.infer<typeof filesOfSessions>['files'][number];

/** However many sessions there are, only the newest are looked at. */
const MAX_SESSIONS = 300;
const SHOWN_SESSIONS = 5;

/** The files that the newest sessions edited, the latest first. */
export async function listEditedFiles(
  { store }: { store: PointStore },
  { filter, limit }: { filter: SessionFilter; limit: number },
): Promise<{ files: FileOfSessions[]; left: number }> {
  const { sessions } = await store.list(filter, MAX_SESSIONS);
  const files = new Map<string, FileOfSessions>();
  for (const { session_id, title, ended_at, repo_name, repo_path, files_touched } of tellApart(sessions))
    for (const [path, here] of new Map(files_touched.map((one) => [relativePath(one, repo_path), one]))) {
      const key = `${repo_name}\0${path}`;
      const file = files.get(key) ?? { path, repo_name, edited_at: ended_at, sessions: [], session_count: 0 };
      file.session_count += 1;
      if (file.sessions.length < SHOWN_SESSIONS)
        file.sessions.push({ session_id, title, ended_at, path: here });
      files.set(key, file);
    }
  return { files: [...files.values()].slice(0, limit), left: Math.max(0, files.size - limit) };
}
