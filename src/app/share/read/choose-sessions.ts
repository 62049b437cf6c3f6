import type { SessionPayload } from '../../../domain/point/point.ts';
import { withTagChange } from '../../../domain/tags/tag-change.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { Ask } from './fall-back.ts';

/**
 * The current state of sessions. Sessions of this machine are newest here, so they come from here, with the tags that all machines
 * see; others come from the server. Leaves out sessions forgotten here, even if the server still has them.
 * @param seen sessions that the server has already returned.
 */
export async function chooseSessions(
  { local, outbox, machine }: { local: PointStore; outbox: Outbox; machine: string },
  ask: Ask,
  ids: string[],
  seen: SessionPayload[] = [],
): Promise<SessionPayload[]> {
  const known = new Set(seen.map(({ session_id }) => session_id));
  const missing = ids.filter((id) => !known.has(id));
  const more = missing.length === 0 ? null : await ask((remote) => remote.getSessions(missing));
  const there = [...seen, ...(more?.answer ?? [])];
  const here = new Map((await local.getSessions(ids)).map((session) => [session.session_id, session]));
  const entries = new Map(outbox.get(ids).map((entry) => [entry.sessionId, entry]));
  const remote = new Map(there.map((session) => [session.session_id, session]));
  return [...new Set(ids)].flatMap((id) => {
    const [ours, theirs, entry] = [here.get(id), remote.get(id), entries.get(id)];
    if (theirs === undefined) return ours ?? [];
    if (ours === undefined && entry?.removed === true) return [];
    const tags = entry?.tags ? withTagChange(theirs.tags, entry.tags) : theirs.tags;
    const isOwn = entry !== undefined || theirs.machine === machine;
    if (ours === undefined || !isOwn) return { ...theirs, tags };
    return { ...ours, archived: theirs.archived || ours.archived, tags };
  });
}
