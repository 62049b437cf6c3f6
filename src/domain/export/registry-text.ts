import type { SessionPayload } from '../point/point.ts';
import { readMarks } from '../tags/marks.ts';
import { sanitizeLine } from '../text/sanitize.ts';

export const REGISTRY = 'session-registry.json';
/** The beginning of the file. One that begins differently is not ours. */
export const REGISTRY_MARK = '{\n "version": "1.0",\n "written_by": "smart-fork"';

/**
 * The exported sessions for other programs, in the schema of the requirements document.
 * @param indexedAt of the sessions of this machine
 */
export function registryText(
  sessions: SessionPayload[],
  indexedAt: Map<string, string>,
  now: string,
): string {
  const registry = {
    version: '1.0',
    written_by: 'smart-fork',
    last_synced: now,
    total_sessions: sessions.length,
    total_chunks: sessions.reduce((sum, { chunk_count }) => sum + chunk_count, 0),
    sessions: Object.fromEntries(
      sessions.map((session) => {
        const { session_id: id } = session;
        return [id, { ...entryOf(session), indexed_at: indexedAt.get(id) ?? null }];
      }),
    ),
  };
  return `${JSON.stringify(registry, null, 1)}\n`;
}

function entryOf(session: SessionPayload) {
  const { repo_name, working_directory, started_at, ended_at, message_count, chunk_count, agent } = session;
  return {
    project: repo_name,
    project_path: working_directory,
    agent,
    machine: session.machine,
    created_at: started_at,
    updated_at: ended_at,
    message_count,
    chunk_count,
    topic: sanitizeLine(session.title),
    tags: readMarks(session.tags).tags,
    memory_types: session.markers,
    languages: session.languages ?? [],
  };
}
