import { SmartForkError } from '../../domain/errors.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { untilArrival } from '../fork/until-arrival.ts';
import { type EmbedOptions, embedPending } from '../index/embed-pending.ts';
import type { WorkerRun } from './worker-run.ts';

/** Points between two looks at the battery, and between two writes. */
const EMBED_LIMIT = 64;
const EMBED_SLICE = 4;
/** On the server each write is two requests. */
const HELP_SLICE = 16;
const HELP_EVERY_MS = 3_600_000;
/** A session's token stream costs as much as the session is long: not after each turn of it. */
const REFRESH_EVERY_MS = 600_000;

export function isRefreshDue(run: WorkerRun): boolean {
  if (!run.stale) return false;
  const last = Date.parse(run.record.refreshedAt ?? '1970-01-01');
  const waited = Math.abs(run.deps.now() - last) >= REFRESH_EVERY_MS;
  return run.refreshNow || waited || run.request.until === 'drain';
}

export async function refreshTokens(run: WorkerRun): Promise<true> {
  const count = await untilArrival(run, (signal) => run.opened.index.store.refresh(signal));
  if (run.deps.spool.hasDue()) return true;
  run.stale = false;
  run.refreshNow = false;
  run.record.refreshedAt = new Date(run.deps.now()).toISOString();
  run.deps.log.info('refreshed', { sessions: count });
  return true;
}

export async function embedWaiting(run: WorkerRun): Promise<boolean> {
  const { store } = run.opened.index;
  // Asked first: without a model everything waits, and counting that after each turn would cost more and more.
  if (!(await hasModel(run))) return false;
  const { waiting } = await store.count();
  if (waiting.intents + waiting.chunks === 0) return false;
  return embed(run, (embedder, options) =>
    embedPending({ store, embedder }, { ...options, slice: EMBED_SLICE }),
  );
}

/** What other machines could not embed, when there is nothing of this machine's own to do. Nobody waits for it. */
export async function embedOnServer(run: WorkerRun): Promise<boolean> {
  const { record, deps, opened, request } = run;
  const help = opened.server?.embed;
  const asked = Date.parse(record.helpedAt ?? '1970-01-01');
  const isDue = Math.abs(deps.now() - asked) >= HELP_EVERY_MS;
  if (help === undefined || !isDue || request.until === 'drain' || deps.onBattery()) return false;
  if (!(await hasModel(run))) return false;
  let isDone = true;
  const worked = await embed(run, async (embedder, options) => {
    const done = await help(embedder, { ...options, slice: HELP_SLICE }).catch((error: unknown) => {
      if (!(error instanceof SmartForkError) || error.code === 'MODEL_UNAVAILABLE') throw error;
      deps.log.error('cannot embed for others', { reason: error.message });
      return 0;
    });
    isDone = done === 0 && options.signal?.aborted !== true;
    return done;
  });
  if (isDone) record.helpedAt = new Date(deps.now()).toISOString();
  return worked;
}

async function hasModel(run: WorkerRun): Promise<boolean> {
  return run.canEmbed && (await run.opened.modelState()).state === 'ready';
}

/** Some of what waits; false when there is nothing, or the machine is to be spared. */
async function embed(
  run: WorkerRun,
  work: (embedder: Embedder, options: EmbedOptions) => Promise<number>,
): Promise<boolean> {
  run.record.state = run.deps.onBattery() ? 'paused' : 'embedding';
  if (run.record.state === 'paused') return false;
  try {
    const embedder = await run.opened.embedder();
    const done = await untilArrival(run, (signal) => work(embedder, { limit: EMBED_LIMIT, signal }));
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
