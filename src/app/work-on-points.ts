import { SmartForkError } from '../domain/errors.ts';
import { embedPending } from './embed-pending.ts';
import { refreshServer } from './send-waiting.ts';
import { untilArrival } from './until-arrival.ts';
import type { WorkerRun } from './worker-run.ts';

/** Points between two looks at the battery, and between two writes. */
const EMBED_LIMIT = 64;
const EMBED_SLICE = 4;
/** A session's token stream costs as much as the session is long: not after each turn of it. */
const REFRESH_EVERY_MS = 600_000;

export function isRefreshDue(run: WorkerRun): boolean {
  if (!run.stale) return false;
  const last = Date.parse(run.record.refreshedAt ?? '1970-01-01');
  const waited = Math.abs(run.deps.now() - last) >= REFRESH_EVERY_MS;
  return run.refreshNow || waited || run.request.until === 'drain';
}

export async function refreshTokens(run: WorkerRun): Promise<true> {
  const count = await untilArrival(run, async (signal) => {
    const refreshed = await run.opened.index.store.refresh(signal);
    await refreshServer(run, signal);
    return refreshed;
  });
  if (run.deps.spool.hasDue()) return true;
  run.stale = false;
  run.refreshNow = false;
  run.record.refreshedAt = new Date(run.deps.now()).toISOString();
  run.deps.log.info('refreshed', { sessions: count });
  return true;
}

export async function embedWaiting(run: WorkerRun): Promise<boolean> {
  if (!run.canEmbed) return false;
  const { store } = run.opened.index;
  // Asked first: without a model everything waits, and counting that after each turn would cost more and more.
  if ((await run.opened.modelState()).state !== 'ready') return false;
  const waiting = await store.countWithoutVector();
  if (waiting.intents + waiting.chunks === 0) return false;
  run.record.state = run.deps.onBattery() ? 'paused' : 'embedding';
  if (run.record.state === 'paused') return false;
  try {
    const embedder = await run.opened.embedder();
    const done = await untilArrival(run, (signal) =>
      embedPending({ store, embedder }, { limit: EMBED_LIMIT, slice: EMBED_SLICE, signal }),
    );
    run.record.embedded += done;
    return done > 0 || run.deps.spool.hasDue();
  } catch (error) {
    if (!(error instanceof SmartForkError) || error.code !== 'MODEL_UNAVAILABLE') throw error;
    run.canEmbed = false;
    run.record.lastError = { message: error.message, at: new Date(run.deps.now()).toISOString() };
    run.deps.log.error('cannot embed', { reason: error.message });
    return false;
  }
}
