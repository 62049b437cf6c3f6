import type { SessionPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import { shareOfFiles } from '../../domain/search/shared-files.ts';
import type { PointStore } from '../../ports/point-store.ts';

const PAGE = 500;
/** In UTF-16 units. Shorter prompts, such as "continue", begin many sessions. */
const LONG_PROMPT = 80;
const SHARED_FILES = 0.5;

/**
 * Groups of sessions that are probably the same work done twice: they begin with the same long prompt in the same repository and share
 * half of their changed files. Forks and their parents are not duplicates.
 */
export async function findDuplicates(store: PointStore): Promise<SessionPayload[][]> {
  const groups = new Map<string, SessionPayload[]>();
  let cursor: string | undefined;
  do {
    const page = await store.list({}, PAGE, cursor);
    cursor = page.cursor ?? undefined;
    const prompts = await firstPrompts(store, page.sessions);
    for (const session of page.sessions) {
      const prompt = prompts.get(session.session_id) ?? '';
      if (session.parent !== null || prompt.length < LONG_PROMPT) continue;
      const key = `${session.repo_id}\n${prompt}`;
      groups.set(key, [...(groups.get(key) ?? []), session]);
    }
  } while (cursor !== undefined);
  return [...groups.values()].flatMap(sameWork).filter(({ length }) => length > 1);
}

async function firstPrompts(store: PointStore, sessions: SessionPayload[]): Promise<Map<string, string>> {
  const points = await store.getPoints(sessions.map(({ session_id }) => pointId(session_id, 'intent', 0)));
  return new Map(
    points.flatMap(({ payload }) =>
      payload.type === 'intent'
        ? [[payload.session_id, payload.intent_text.replace(/\s+/g, ' ').trim().toLowerCase()]]
        : [],
    ),
  );
}

/** Groups each session with the first one that changed about the same files. */
function sameWork(sessions: SessionPayload[]): SessionPayload[][] {
  const groups: SessionPayload[][] = [];
  for (const session of sessions) {
    const group = groups.find(
      ([first]) => first && (shareOfFiles(first.files_touched, session.files_touched) ?? 1) >= SHARED_FILES,
    );
    if (group === undefined) groups.push([session]);
    else group.push(session);
  }
  return groups;
}
