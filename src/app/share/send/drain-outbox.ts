import { type Problem, problemOf, SmartForkError } from '../../../domain/errors.ts';
import type { Progress } from '../../../domain/summary.ts';
import type { OutboxEntry } from '../../../ports/outbox.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { announceForgotten, followTombstones } from '../agree/follow-tombstones.ts';
import { hasMore } from './put-off-transcripts.ts';
import type { SendDependencies } from './send-dependencies.ts';
import { type SentEntries, sendEntries } from './send-entries.ts';

export interface DrainOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** A user waits: what was put off is tried now, unless the server asked to be left alone. */
  now?: boolean;
  /** Transcripts do not wait until their sessions are quiet; nor do they with `now`. */
  transcripts?: boolean;
}

export interface DrainReport {
  /** Sessions that were sent. */
  sent: number;
  waiting: number;
  /** Why something waits. */
  problem: Problem | null;
  /** Why the server does not take this machine's vectors. */
  vectorsRefused: Problem | null;
}

/** What a process remembers of the server between two drains. */
export interface Acquaintance {
  /** When it was last asked which store it is and what was forgotten; null: not yet, or not since it failed. */
  greetedAt: number | null;
}

/** Entries that are sent together, and the points that end a group. */
const GROUP = 50;
const GROUP_POINTS = 2000;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 300_000;
/** Sessions that fail by themselves, one after the other, before the server is held to be at fault. */
const MOST_ALONE = 3;
/** Parts of transcripts that may lie on the server, outgrown, until something else is sent. */
const MOST_OUTGROWN = 4;
const GREET_EVERY_MS = 600_000;
/** Texts that a greeting has embedded at most: it costs the user's money and the worker's time. */
const MOST_EMBEDDED = 2000;
/** How often in one go the collection may have become another one. */
const MOST_GREETINGS = 3;

/**
 * Sends what waits, oldest first, until there is nothing left or the server fails. Then it is left alone: for as long as it
 * asks, else longer each time, also by the next process. Never throws for what a store does: the
 * report says it.
 */
export async function drainOutbox(
  deps: SendDependencies,
  acquaintance: Acquaintance,
  options: DrainOptions = {},
): Promise<DrainReport> {
  const run: Run = {
    deps,
    acquaintance,
    options,
    sent: 0,
    vectorsRefused: null,
    alone: 0,
    greetings: 0,
  };
  if (mayStart(run)) {
    try {
      if (isGreetingDue(run)) await greet(run);
      await sendAll(run);
      if (run.greetings > 0 || options.now === true) await embedRest(run);
    } catch (error) {
      if (!(error instanceof SmartForkError)) throw error;
      leaveAlone(run, error);
    }
  }
  return reportOf(run);
}

interface Run {
  deps: SendDependencies;
  acquaintance: Acquaintance;
  options: DrainOptions;
  sent: number;
  vectorsRefused: Problem | null;
  /** Sessions that failed by themselves since the last that did not. */
  alone: number;
  greetings: number;
}

function mayStart({ deps, options }: Run): boolean {
  const pause = deps.outbox.pause();
  if (options.now === true) deps.outbox.hurry();
  else if (options.transcripts === true) deps.outbox.endQuiet();
  if (pause === null || pause.until <= deps.now()) return true;
  // A time too far off was written before the clock was set back.
  if (pause.until - deps.now() > 24 * 3_600_000) return true;
  return options.now === true && !pause.asked;
}

/** Who has something to send finds out by that whether the store is the one that another process has greeted. */
function isGreetingDue({ deps: { now, outbox }, acquaintance }: Run): boolean {
  const isLong = (since: number | null) => since === null || Math.abs(now() - since) > GREET_EVERY_MS;
  const { greetedAt } = acquaintance;
  if (greetedAt !== null) return isLong(greetedAt);
  const before = outbox.pause() === null && outbox.due(1).length > 0 ? outbox.greetedAt() : null;
  if (!isLong(before)) acquaintance.greetedAt = before;
  return isLong(before);
}

/** A store that is another one than last time is told everything; and what others have forgotten is forgotten here. */
async function greet(run: Run): Promise<void> {
  const { outbox, local, remote, now } = run.deps;
  run.greetings += 1;
  const { storeId, tombstones } = await remote.handshake();
  if (storeId !== outbox.storeId()) {
    outbox.startOver(storeId, await allSessions(local));
    announceForgotten(run.deps);
  }
  await followTombstones(run.deps, storeId, tombstones);
  run.acquaintance.greetedAt = now();
  outbox.noteGreeted();
}

async function allSessions(local: PointStore): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await local.list({}, 500, cursor);
    ids.push(...page.sessions.map(({ session_id }) => session_id));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

async function sendAll(run: Run): Promise<void> {
  const { deps, options } = run;
  const { outbox } = deps;
  for (;;) {
    if (options.signal?.aborted === true) return;
    const group = await cutGroup(deps, outbox.due(GROUP));
    if (group.length === 0) return endOf(run);
    if (!(await sendGroup(run, group))) return;
    if (run.acquaintance.greetedAt === null && run.greetings < MOST_GREETINGS) await greet(run);
    const { waiting } = outbox.counts();
    options.onProgress?.({ unit: 'session', done: run.sent, total: run.sent + waiting });
  }
}

async function endOf({ deps: { outbox, remote } }: Run): Promise<void> {
  const outgrown = outbox.outgrown();
  if (outgrown.length > MOST_OUTGROWN)
    outbox.noteOutgrown((await remote.send([], { superseded: outgrown })).superseded);
  outbox.setPause(null);
}

/** On a server that embeds: what machines without it have sent, or what was sent while its service was away. */
async function embedRest(run: Run): Promise<void> {
  const { deps, options } = run;
  if (options.signal?.aborted === true || deps.outbox.pause() !== null) return;
  const report = await deps.remote.embedding?.embedPending(MOST_EMBEDDED, options.signal);
  run.vectorsRefused ??= report?.refused ?? null;
}

/** Small sessions go together: a request costs more than they do. */
async function cutGroup({ local }: SendDependencies, entries: OutboxEntry[]): Promise<OutboxEntry[]> {
  const whole = entries.filter((entry) => entry.whole).map(({ sessionId }) => sessionId);
  const sizes = new Map(
    (await local.getSessions(whole)).map((one) => [one.session_id, one.chunk_count + one.intent_count]),
  );
  let points = 0;
  const end = entries.findIndex(({ sessionId, points: some }) => {
    points += sizes.get(sessionId) ?? some.length;
    return points > GROUP_POINTS;
  });
  return end < 0 ? entries : entries.slice(0, Math.max(1, end));
}

/** False when the server is to be left alone. */
async function sendGroup(run: Run, group: OutboxEntry[]): Promise<boolean> {
  const { deps, options } = run;
  const patient = options.now !== true && options.transcripts !== true;
  try {
    take(run, await sendEntries(deps, group, patient ? 'quiet' : 'all'), group.length);
    return true;
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    const state = error.retryAfterMs === undefined ? await askState(run) : 'away';
    if (state === 'other' && run.greetings < MOST_GREETINGS) {
      await greet(run);
      return true;
    }
    if (state !== 'up') return leaveAlone(run, error);
    return sendAlone(run, group, error);
  }
}

/** The server answers, so it has something against what it was sent: one session must not hold up the others. */
async function sendAlone(run: Run, group: OutboxEntry[], error: SmartForkError): Promise<boolean> {
  const { outbox } = run.deps;
  if (group.length > 1) {
    for (const { sessionId } of group) if (!(await sendGroup(run, outbox.get([sessionId])))) return false;
    return true;
  }
  const [entry] = group;
  if (entry === undefined) return true;
  run.alone = (await sendWithoutTranscript(run, entry)) ? 0 : run.alone + 1;
  for (const left of outbox.get([entry.sessionId]))
    if (left.revision === entry.revision || !hasMore(left)) outbox.fail(left, error.message);
  return run.alone < MOST_ALONE || leaveAlone(run, error);
}

/** A transcript that the server will not take keeps no text from it. */
async function sendWithoutTranscript(run: Run, entry: OutboxEntry): Promise<boolean> {
  if (!entry.archive || !(entry.whole || hasMore(entry))) return false;
  try {
    take(run, await sendEntries(run.deps, [entry], 'none'), 0);
    return true;
  } catch (error) {
    if (error instanceof SmartForkError) return false;
    throw error;
  }
}

function take(run: Run, { vectorsRefused, isOther }: SentEntries, count: number): void {
  if (isOther) run.acquaintance.greetedAt = null;
  run.sent += count;
  run.alone = 0;
  run.vectorsRefused ??= vectorsRefused;
}

async function askState({ deps }: Run): Promise<'up' | 'away' | 'other'> {
  try {
    const { storeId } = await deps.remote.info();
    return storeId === deps.outbox.storeId() ? 'up' : 'other';
  } catch (error) {
    if (error instanceof SmartForkError) return 'away';
    throw error;
  }
}

function leaveAlone({ deps, acquaintance, options }: Run, error: SmartForkError): false {
  const { outbox, now } = deps;
  // What is cut off because this process ends says nothing of the server.
  if (options.signal?.aborted === true) return false;
  acquaintance.greetedAt = null;
  const tries = (outbox.pause()?.tries ?? 0) + 1;
  // Jitter keeps machines that lost the server together from coming back together.
  const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
  const wait = Math.max(error.retryAfterMs ?? 0, backoff);
  outbox.setPause({
    until: now() + wait,
    tries,
    ...problemOf(error),
    asked: error.retryAfterMs !== undefined,
  });
  return false;
}

function reportOf({ deps, sent, vectorsRefused }: Run): DrainReport {
  const { waiting } = deps.outbox.counts();
  const pause = deps.outbox.pause();
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
    : { message: `${failing.sessionId}: ${failing.reason}`, hint: 'It is tried again later.' };
}
