import type { SessionPayload } from '../../../domain/point/point.ts';
import type { SentSession } from '../../../ports/outbox.ts';
import { eachSession, type PointStore } from '../../../ports/point-store.ts';
import { conversationOf } from '../agree/compare-copies.ts';
import type { MigrationReport } from '../migrate/migrate-sessions.ts';

interface Sent {
  local: PointStore;
  remote: PointStore;
  /** See `ServerRecord.sent`. */
  noted: (sessionIds: string[]) => SentSession[];
  /** Maps ids on the server to content_hash, before anything was sent. */
  before: Map<string, string>;
}

const PAGE = 500;

/** Maps the ids of those sessions that the server has to their content_hash. */
export async function hashesThere(remote: PointStore, remoteIds: string[]): Promise<Map<string, string>> {
  return new Map([...(await sessionsThere(remote, remoteIds))].map(([id, one]) => [id, one.content_hash]));
}

/**
 * Adds each session's outcome to `report`. Returns the ids of sessions whose conversation is on the server as another machine's copy:
 * their points may differ.
 */
export async function countSent(deps: Sent, report: MigrationReport): Promise<Set<string>> {
  const { local, remote, noted, before } = deps;
  const sessions: SessionPayload[] = [];
  for await (const session of eachSession(local)) sessions.push(session);
  const remoteIds = new Map(
    noted(sessions.map(({ session_id }) => session_id)).map((one) => [one.sessionId, one.remoteId]),
  );
  const there = await sessionsThere(
    remote,
    sessions.map(({ session_id }) => session_id),
  );
  const alike = new Set<string>();
  report.found = sessions.length;
  for (const here of sessions) {
    const id = here.session_id;
    const other = there.get(id);
    // Comparing the stores will show what did not arrive.
    if (other === undefined || isBehind(here, other)) continue;
    if ((remoteIds.get(id) ?? id) !== id) {
      report.left.push(id);
      continue;
    }
    if (before.get(id) === here.content_hash) report.same += 1;
    else if (other.content_hash === here.content_hash) report.copied += 1;
    else if (await saysTheSame(deps, id)) report.same += 1;
    else {
      report.left.push(id);
      continue;
    }
    if (other.machine !== here.machine) alike.add(id);
  }
  return alike;
}

function isBehind(here: SessionPayload, there: SessionPayload): boolean {
  return there.machine === here.machine && there.content_hash !== here.content_hash;
}

async function saysTheSame({ local, remote }: Sent, id: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([local.getChunks(id), remote.getChunks(id)]);
  return conversationOf(ours) === conversationOf(theirs);
}

async function sessionsThere(remote: PointStore, ids: string[]): Promise<Map<string, SessionPayload>> {
  const found = new Map<string, SessionPayload>();
  for (let at = 0; at < ids.length; at += PAGE)
    for (const one of await remote.getSessions(ids.slice(at, at + PAGE))) found.set(one.session_id, one);
  return found;
}
