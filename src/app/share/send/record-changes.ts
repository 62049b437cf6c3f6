import type { SessionPayload } from '../../../domain/point/point.ts';
import type { Outbox, OutboxChange } from '../../../ports/outbox.ts';
import type { PointStore, SessionChange } from '../../../ports/point-store.ts';
import type { SessionWriter } from '../../../ports/session-writer.ts';
import { getSession } from '../../sessions/get-session.ts';
import { tagChange } from '../agree/tag-change.ts';

/** The local store, which announces every change in the outbox before it makes it. See Outbox. */
export function recordChanges(local: PointStore, outbox: Outbox): PointStore {
  const announced = async <T>(changes: OutboxChange[], work: () => Promise<T>): Promise<T> => {
    if (changes.length === 0) return work();
    outbox.hold(changes);
    try {
      return await work();
    } finally {
      outbox.free(changes.map(({ sessionId }) => sessionId));
    }
  };
  return {
    ...local,
    write(changes) {
      const ids = remoteIds(outbox);
      return announced(
        changes.map((change) => changeOf({ ...change, isWhole: change.tokens !== null }, ids)),
        () => local.write(changes),
      );
    },
    async deleteSessions(sessionIds) {
      const ids = remoteIds(outbox);
      const known = (await local.getSessions(sessionIds)).map(({ session_id }) => session_id);
      // A store that was built anew lacks what the server has from here.
      const sent = outbox.sent(sessionIds).flatMap((one) => (one.contentHash === '' ? [] : [one.sessionId]));
      const removals = [...new Set([...known, ...sent])].map((id) => ({ sessionId: ids(id), removed: true }));
      return announced(removals, () => local.deleteSessions(sessionIds));
    },
    async setTags(sessionId, tags) {
      const session = await getSession(local, sessionId);
      return announced(tagsOf(session, tags, remoteIds(outbox)), () => local.setTags(sessionId, tags));
    },
    async setVectors(model, items) {
      const ids = remoteIds(outbox);
      const bySession = new Map<string, string[]>();
      for (const { id, payload } of await local.getPoints(items.map((item) => item.id))) {
        const known = bySession.get(payload.session_id);
        if (known === undefined) bySession.set(payload.session_id, [id]);
        else known.push(id);
      }
      const changes = [...bySession].map(([id, vectors]) => ({ sessionId: ids(id), vectors }));
      return announced(changes, () => local.setVectors(model, items));
    },
  };
}

/** The same for a writer that is not the store itself. Where the store announces it too, it is announced twice. */
export function announceWrites(writer: SessionWriter, outbox: Outbox): SessionWriter {
  return {
    expect: (bytes) => writer.expect(bytes),
    async write(changes) {
      const ids = remoteIds(outbox);
      const announced = changes.map(({ points, ...change }) =>
        changeOf(
          { ...change, upserts: change.upserts.map((point) => ({ point })), isWhole: points !== null },
          ids,
        ),
      );
      outbox.hold(announced);
      try {
        return await writer.write(changes);
      } finally {
        outbox.free(announced.map(({ sessionId }) => sessionId));
      }
    },
    close: () => writer.close(),
  };
}

/** What a session's id is on the server. */
export function remoteIds(outbox: Outbox): (sessionId: string) => string {
  const renamed = new Map(outbox.renamed().map(({ sessionId, remoteId }) => [sessionId, remoteId]));
  return (id) => renamed.get(id) ?? id;
}

interface AnyChange extends Pick<SessionChange, 'session' | 'deletes' | 'expected'> {
  upserts: { point: { id: string } }[];
  /** Read from the beginning. */
  isWhole: boolean;
}

/** Of a session that was read from its beginning everything is compared; of one that grew, what the change names is sent. */
function changeOf(
  { session, upserts, deletes, expected, isWhole }: AnyChange,
  remoteId: (id: string) => string,
): OutboxChange {
  const sessionId = remoteId(session.payload.session_id);
  if (expected === null || isWhole) return { sessionId, whole: true, archive: true };
  // The session's own point is always among them: a change of its record alone is one too.
  const points = [session.id, ...upserts.map(({ point }) => point.id)];
  return { sessionId, points, deletes, archive: true };
}

function tagsOf(
  session: SessionPayload | null,
  tags: string[],
  remoteId: (id: string) => string,
): OutboxChange[] {
  if (session === null) return [];
  return [{ sessionId: remoteId(session.session_id), tags: tagChange(session.tags, tags) }];
}
