import type { SessionPayload } from '../../../domain/point/point.ts';
import { tagChange } from '../../../domain/session/tag-change.ts';
import type { LocalStore, Outbox } from '../../../ports/outbox.ts';

interface Both {
  bare: LocalStore;
  outbox: Outbox;
  machine: string;
  now: () => number;
}

/**
 * Forgets sessions of any machine: here at once, on the server with the next drain, on other machines by the tombstone. The entry
 * comes first: after a crash between the two, the tombstone reaches this machine as well.
 */
export async function forgetSessions(
  { bare, outbox, machine, now }: Both,
  ids: string[],
  localId: (id: string) => string,
): Promise<void> {
  const forgotten = { machine, forgottenAt: new Date(now()).toISOString() };
  outbox.add(ids.map((sessionId) => ({ sessionId, removed: true, forgotten })));
  await bare.received.deleteSessions(ids.map(localId).filter((id) => id !== ''));
}

/** Changes the tags of a session of any machine. What both machines changed is stored here when it was sent. */
export async function changeTags(
  { bare, outbox }: Both,
  session: SessionPayload | null,
  tags: string[],
  localId: (id: string) => string,
): Promise<void> {
  const changed = session === null ? null : tagChange(session.tags, tags);
  if (session === null || changed === null) return;
  outbox.add([{ sessionId: session.session_id, tags: changed }]);
  await bare.received.setTags(localId(session.session_id), tags);
}
