import { type Problem, problemOf, SmartForkError } from '../../../domain/errors.ts';
import type { Progress } from '../../../domain/summary.ts';
import type { OutboxEntry } from '../../../ports/outbox.ts';
import { followTombstones } from '../agree/follow-tombstones.ts';
import { localIds } from '../agree/local-ids.ts';
import { hasMore } from './defer-transcripts.ts';
import { isPaused } from './is-paused.ts';
import type { SendDependencies } from './send-dependencies.ts';
import { type SentEntries, sendEntries } from './send-entries.ts';

export interface DrainOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** A user is waiting: tries everything now, unless the server asked for a pause. */
  now?: boolean;
  /** Sends transcripts without waiting for their sessions to become idle, as `now` does. */
  transcripts?: boolean;
}

export interface DrainReport {
  sent: number;
  waiting: number;
  /** Why something was not sent. */
  problem: Problem | null;
  /** Why the server does not accept this machine's vectors. */
  vectorsRefused: Problem | null;
}

/** State that a process carries over from one drain to the next. */
export interface Handshake {
  /** When the server was last asked which store it is and what was forgotten; null before the first handshake and after a failed one. */
  at: number | null;
}

/** Maximum number of entries per group, and the number of points that completes a group. */
const GROUP = 50;
const GROUP_POINTS = 2000;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 300_000;
/** After this many refused sessions in a row, the server is at fault. */
const MAX_REFUSED = 3;
/** Superseded transcript parts that may stay on the server until something else is sent. */
const MAX_SUPERSEDED = 4;
const HANDSHAKE_EVERY_MS = 600_000;
/** Maximum number of texts that the server embeds after a handshake: embedding costs the user's money and the worker's time. */
const MAX_EMBEDDED = 2000;
/** How often the collection may change within one drain. */
const MAX_HANDSHAKES = 3;
/**
 * Sends the entries of the outbox, oldest first, until none is left or the server fails. Then this process and the next one pause: for
 * as long as the server asks, else longer each time. Never throws for a store's errors; the report contains them.
 */
export async function drainOutbox(
  deps: SendDependencies,
  handshake: Handshake,
  options: DrainOptions = {},
): Promise<DrainReport> {
  const none = { sent: 0, vectorsRefused: null, refused: 0, handshakes: 0 };
  const run: Run = { deps, handshake, options, ...none };
  if (mayStart(run)) {
    try {
      if (isHandshakeDue(run)) await shakeHands(run);
      await sendAll(run);
      if (run.handshakes > 0 || options.now === true) await embedRest(run);
    } catch (error) {
      if (!(error instanceof SmartForkError)) throw error;
      pause(run, error);
    }
  }
  return reportOf(run);
}

interface Run {
  deps: SendDependencies;
  handshake: Handshake;
  options: DrainOptions;
  sent: number;
  vectorsRefused: Problem | null;
  /** Number of sessions refused in a row. */
  refused: number;
  handshakes: number;
}

function mayStart({ deps: { outbox, now }, options }: Run): boolean {
  const { pause } = outbox.server.notes();
  if (options.now === true) outbox.wake('all');
  else if (options.transcripts === true) outbox.wake('deferred');
  if (!isPaused(pause, now())) return true;
  return options.now === true && pause?.asked !== true;
}

/** If there is something to send, another process's recent handshake suffices: sending shows whether the store changed. */
function isHandshakeDue({ deps: { now, outbox }, handshake }: Run): boolean {
  const isLongAgo = (at: number | null) => at === null || Math.abs(now() - at) > HANDSHAKE_EVERY_MS;
  if (handshake.at !== null) return isLongAgo(handshake.at);
  const { pause, handshakeAt } = outbox.server.notes();
  const known = pause === null && outbox.due(1).length > 0 ? handshakeAt : null;
  if (!isLongAgo(known)) handshake.at = known;
  return isLongAgo(known);
}

/** If the store is a different one, everything is sent to it. Forgets here what other machines forgot. */
async function shakeHands(run: Run): Promise<void> {
  const { outbox, remote, now } = run.deps;
  run.handshakes += 1;
  const { storeId, tombstones } = await remote.handshake();
  if (storeId !== outbox.server.notes().storeId) outbox.server.reset(storeId);
  await followTombstones(run.deps, storeId, tombstones);
  run.handshake.at = now();
  outbox.server.note({ handshakeAt: now() });
}

async function sendAll(run: Run): Promise<void> {
  const { deps, options } = run;
  const { outbox } = deps;
  for (;;) {
    if (options.signal?.aborted === true) return;
    const group = await cutGroup(deps, outbox.due(GROUP));
    if (group.length === 0) return endOf(run);
    if (!(await sendGroup(run, group))) return;
    if (run.handshake.at === null && run.handshakes < MAX_HANDSHAKES) await shakeHands(run);
    const { waiting } = outbox.counts();
    options.onProgress?.({ unit: 'session', done: run.sent, total: run.sent + waiting });
  }
}

async function endOf({ deps: { outbox, remote } }: Run): Promise<void> {
  const { superseded, pause: paused } = outbox.server.notes();
  if (superseded.length > MAX_SUPERSEDED) {
    const left = await remote.send([], { superseded });
    outbox.server.note({ superseded: left.superseded });
  }
  if (paused !== null) outbox.server.note({ pause: null });
}

/** On a server that embeds: texts sent while its service was unavailable, or by machines that do not use the service. */
async function embedRest(run: Run): Promise<void> {
  const { deps, options } = run;
  if (options.signal?.aborted === true || deps.outbox.server.notes().pause !== null) return;
  const report = await deps.remote.embedding?.embedPending(MAX_EMBEDDED, options.signal);
  run.vectorsRefused ??= report?.refused ?? null;
}

/** Small sessions are sent together, because a request costs more than they do. */
async function cutGroup(deps: SendDependencies, entries: OutboxEntry[]): Promise<OutboxEntry[]> {
  const { local, outbox } = deps;
  const localId = localIds(deps);
  const ids = entries.map(({ sessionId }) => localId(sessionId));
  const sizes = new Map(
    (await local.getSessions(ids)).map((one) => [one.session_id, one.chunk_count + one.intent_count]),
  );
  const sizeOf = ({ texts, whole }: OutboxEntry, id: string): number => {
    if (!texts) return 0;
    const grown = whole ? null : outbox.unsent(id).texts;
    return grown?.length ?? sizes.get(id) ?? 0;
  };
  let points = 0;
  const end = entries.findIndex((entry, at) => {
    points += sizeOf(entry, ids[at] ?? '');
    return points > GROUP_POINTS;
  });
  return end < 0 ? entries : entries.slice(0, Math.max(1, end));
}

/** False if the drain must end. */
async function sendGroup(run: Run, group: OutboxEntry[]): Promise<boolean> {
  const { deps, options } = run;
  const patient = options.now !== true && options.transcripts !== true;
  try {
    take(run, await sendEntries(deps, group, patient ? 'idle' : 'all'), group.length);
    return true;
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    const state = error.retryAfterMs === undefined ? await askState(run) : 'away';
    if (state === 'other' && run.handshakes < MAX_HANDSHAKES) {
      await shakeHands(run);
      return true;
    }
    if (state !== 'up') return pause(run, error);
    return sendOneByOne(run, group, error);
  }
}

/** The server answers but refused the group: one session must not hold up the others. */
async function sendOneByOne(run: Run, group: OutboxEntry[], error: SmartForkError): Promise<boolean> {
  const { outbox } = run.deps;
  if (group.length > 1) {
    for (const { sessionId } of group) if (!(await sendGroup(run, outbox.get([sessionId])))) return false;
    return true;
  }
  const [entry] = group;
  if (entry === undefined) return true;
  run.refused = (await sendWithoutTranscript(run, entry)) ? 0 : run.refused + 1;
  for (const left of outbox.get([entry.sessionId]))
    if (left.revision === entry.revision || !hasMore(left)) outbox.fail(left, error.message);
  return run.refused < MAX_REFUSED || pause(run, error);
}

/** Texts are sent even if the server refuses the transcript. */
async function sendWithoutTranscript(run: Run, entry: OutboxEntry): Promise<boolean> {
  if (!entry.archive || !hasMore(entry)) return false;
  try {
    take(run, await sendEntries(run.deps, [entry], 'none'), 0);
    return true;
  } catch (error) {
    if (error instanceof SmartForkError) return false;
    throw error;
  }
}

function take(run: Run, { vectorsRefused, isOther }: SentEntries, count: number): void {
  if (isOther) run.handshake.at = null;
  run.sent += count;
  run.refused = 0;
  run.vectorsRefused ??= vectorsRefused;
}

async function askState({ deps }: Run): Promise<'up' | 'away' | 'other'> {
  try {
    const { storeId } = await deps.remote.info();
    return storeId === deps.outbox.server.notes().storeId ? 'up' : 'other';
  } catch (error) {
    if (error instanceof SmartForkError) return 'away';
    throw error;
  }
}

function pause({ deps, handshake, options }: Run, error: SmartForkError): false {
  const { outbox, now } = deps;
  // A request aborted because this process ends says nothing about the server.
  if (options.signal?.aborted === true) return false;
  handshake.at = null;
  const tries = (outbox.server.notes().pause?.tries ?? 0) + 1;
  // Jitter, so that machines that lost the server at the same moment do not all come back together.
  const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
  const wait = Math.max(error.retryAfterMs ?? 0, backoff);
  const asked = error.retryAfterMs !== undefined;
  outbox.server.note({ pause: { until: now() + wait, tries, ...problemOf(error), asked } });
  return false;
}

function reportOf({ deps, sent, vectorsRefused }: Run): DrainReport {
  const { waiting } = deps.outbox.counts();
  const { pause } = deps.outbox.server.notes();
  return {
    sent,
    waiting,
    problem: pause === null || waiting === 0 ? failingOf(deps) : problemOf(pause),
    vectorsRefused,
  };
}

function failingOf({ outbox }: SendDependencies): DrainReport['problem'] {
  if (outbox.counts().failing === 0) return null;
  const failing = outbox.get(outbox.waiting()).find(({ reason }) => reason !== null);
  return failing === undefined
    ? null
    : { message: `${failing.sessionId}: ${failing.reason}`, hint: 'smart-fork tries again later.' };
}
