import type { SessionPayload } from '../../domain/point/point.ts';
import type { PointStore } from '../../ports/point-store.ts';

export async function getSession(
  store: Pick<PointStore, 'getSessions'>,
  sessionId: string,
): Promise<SessionPayload | null> {
  return (await store.getSessions([sessionId]))[0] ?? null;
}
