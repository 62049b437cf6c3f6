import type { Task, TaskContext } from '../task.ts';

/** Not after every turn, because the cost of refreshing a session's tokens grows with its length. */
const REFRESH_EVERY_MS = 600_000;

/** Updates the token streams of sessions that grew. */
export function refreshTokens({ opened, presence, now, log, request }: TaskContext): Task {
  const { record } = presence;
  const isDraining = request.until === 'drain';
  // An earlier worker may have left stale ones.
  let isStale = true;
  let isUrgent = isDraining;
  return {
    isDue() {
      const last = Date.parse(record.refreshedAt ?? '1970-01-01');
      return isStale && (isUrgent || Math.abs(now() - last) >= REFRESH_EVERY_MS);
    },
    async run(signal) {
      const count = await opened.index.store.refresh(signal);
      if (signal.aborted) return true;
      isStale = false;
      isUrgent = isDraining;
      record.refreshedAt = new Date(now()).toISOString();
      log.info('refreshed', { sessions: count });
      return true;
    },
    notice(event) {
      if (event.kind !== 'indexed') return;
      isStale ||= event.grew;
      isUrgent ||= event.sessionEnded;
    },
  };
}
