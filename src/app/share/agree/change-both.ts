import type { SessionPayload } from '../../../domain/point/point.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { tagChange } from './tag-change.ts';

interface Both {
  /** The bare store: what happens here is announced here. */
  bare: PointStore;
  outbox: Outbox;
  machine: string;
  now: () => number;
}

/** Forgets sessions of any machine: here at once, on the server with the next drain, everywhere else by the tombstone. */
export async function forgetSessions(
  { bare, outbox, machine, now }: Both,
  ids: string[],
  localId: (id: string) => string,
): Promise<void> {
  const forgotten = { machine, forgottenAt: new Date(now()).toISOString() };
  outbox.hold(ids.map((sessionId) => ({ sessionId, removed: true, forgotten })));
  try {
    await bare.deleteSessions(ids.map(localId).filter((id) => id !== ''));
  } finally {
    outbox.free(ids);
  }
}

/** Changes the tags of a session of any machine. */
export async function changeTags(
  { bare, outbox }: Both,
  session: SessionPayload | null,
  tags: string[],
  localId: (id: string) => string,
): Promise<void> {
  if (session === null) return;
  outbox.hold([{ sessionId: session.session_id, tags: tagChange(session.tags, tags) }]);
  try {
    await bare.setTags(localId(session.session_id), tags);
  } finally {
    outbox.free([session.session_id]);
  }
}
