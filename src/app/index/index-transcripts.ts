import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { ModelRecord } from '../../domain/model/model-record.ts';
import type { Progress } from '../../domain/summary.ts';
import type { IndexState } from '../../ports/index-state.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';
import type { PointStore, SessionWriter } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { SessionArchive } from '../../ports/session-archive.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { type ApplyDependencies, applyPrivacyRules } from '../privacy/apply-privacy-rules.ts';
import type { PrivacyRules } from '../privacy/privacy-rules.ts';
import { subjectOf } from '../privacy/privacy-subject.ts';
import { getSession } from '../sessions/get-session.ts';
import { chunkingName, readingRules } from './chunking-name.ts';
import { createFindParent, type FindParent } from './find-parent.ts';
import { hasOnlyAsked, isEmpty } from './holds-work.ts';
import { emptyReport, type IndexReport } from './index-report.ts';
import { type PreparedSession, prepareSession } from './prepare-session.ts';
import { hasChanged, withoutDuplicates, withoutTexts } from './select-transcripts.ts';

export interface IndexDependencies extends Pick<ApplyDependencies, 'contexts' | 'transcripts'> {
  store: PointStore;
  state: IndexState;
  sources: TranscriptSource[];
  probe: RepositoryProbe;
  writer: SessionWriter;
  redactor: Redactor;
  privacy: PrivacyRules;
  /** Excluded sessions are removed from it. */
  archive: Pick<SessionArchive, 'remove'>;
  /** Ids of forgotten sessions of this machine. */
  forgotten: () => Set<string>;
  model: ModelRecord;
  machine: string;
  now: () => number;
}

export interface IndexRequest {
  /** Default: every transcript that the sources find. */
  files?: TranscriptFile[];
  /** Reads every transcript from its beginning, even if it is unchanged. */
  force?: boolean;
  /** Leaves the token streams of grown sessions to a later `refresh`, whose cost grows with the sessions' length. */
  deferRefresh?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Called before the first write; true if another process may have done the work meanwhile. */
  beforeWork?: () => Promise<boolean>;
}

/** Sessions are written in groups, because a transaction costs more than a small session. A writer thread should start early. */
const GROUP_POINTS = 120;
const GROUP_MS = 1000;
const GROUPS_UNDER_WAY = 4;

/**
 * Updates the store from transcripts, newest first, for keyword search; embedding is a separate step. Can be interrupted at any
 * moment; the next run continues.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE. An unreadable transcript is reported, not thrown.
 */
export async function indexTranscripts(deps: IndexDependencies, request: IndexRequest): Promise<IndexReport> {
  const info = await deps.store.info();
  if (info.model !== null && info.chunking !== null && info.chunking !== chunkingName(deps.model)) {
    throw otherChunking(info.model.id, deps.model.id);
  }
  if (request.files === undefined) await applyPrivacyRules(deps);
  let run = startRun(deps, request, info.storeId);
  if (run.pending.length > 0 && (await request.beforeWork?.())) run = startRun(deps, request, info.storeId);
  deps.writer.expect(run.pending.reduce((total, { size }) => total + size, 0));
  let done = 0;
  for (const file of run.pending) {
    if (request.signal?.aborted) break;
    request.onProgress?.({ unit: 'session', done, total: run.pending.length, label: file.sessionId });
    await take(run, file, request.force === true);
    done += 1;
  }
  await finish(run);
  run.report.interrupted = request.signal?.aborted === true;
  // Even if nothing was indexed: an earlier run may have been killed before this step.
  if (request.deferRefresh !== true) await deps.store.refresh(request.signal);
  deps.state.setLastSynced(new Date(deps.now()).toISOString());
  request.onProgress?.({ unit: 'session', done, total: run.pending.length });
  return run.report;
}

/** Transcripts changed since they were read, newest first. Reads no transcript. */
export async function findChangedTranscripts(
  deps: IndexDependencies,
  onProblem: OnProblem,
): Promise<TranscriptFile[]> {
  const { storeId } = await deps.store.info();
  const stamps = deps.state.stamps(storeId, readingRules(deps.model, deps.privacy));
  const forgotten = deps.forgotten();
  return withoutDuplicates(findOnce(deps, onProblem)()).filter(
    (file) => !forgotten.has(file.sessionId) && hasChanged(file, stamps.get(file.path)),
  );
}

type OnProblem = (path: string, reason: string) => void;

/** Lists transcripts on the first call. */
function findOnce({ sources }: IndexDependencies, onProblem: OnProblem): () => TranscriptFile[] {
  let found: TranscriptFile[] | null = null;
  return () => {
    found ??= sources.flatMap((source) => source.find(onProblem));
    return found;
  };
}

/** The state of one run. */
interface Run {
  deps: IndexDependencies;
  report: IndexReport;
  storeId: string;
  findParent: FindParent;
  pending: TranscriptFile[];
  group: Group;
  groupSince: number;
  /** Writes in progress, while the next groups are read. */
  writing: Promise<void>[];
  /** Transcripts of sessions that another indexer changed meanwhile. */
  conflicts: TranscriptFile[];
}

type Group = { file: TranscriptFile; prepared: PreparedSession }[];

function startRun(deps: IndexDependencies, request: IndexRequest, storeId: string): Run {
  const report = emptyReport();
  const onProblem = (path: string, reason: string) => report.failed.push({ path, reason });
  const find = findOnce(deps, onProblem);
  const given = request.files ?? find();
  const all = withoutDuplicates(given);
  const forgotten = deps.forgotten();
  const files = all.filter(({ sessionId }) => !forgotten.has(sessionId));
  const stamps = deps.state.stamps(storeId, readingRules(deps.model, deps.privacy));
  const pending = request.force ? files : files.filter((file) => hasChanged(file, stamps.get(file.path)));
  report.found = all.length;
  report.excluded = all.length - files.length;
  report.duplicates = given.length - all.length;
  report.unchanged = files.length - pending.length;
  const findParent = createFindParent(deps, find, (path) => request.force !== true && stamps.has(path));
  return {
    deps,
    report,
    storeId,
    findParent,
    pending,
    group: [],
    groupSince: deps.now(),
    writing: [],
    conflicts: [],
  };
}

/** Reads a transcript and queues its changes for writing. `fresh`: ignores the cursor. */
async function take(run: Run, file: TranscriptFile, fresh: boolean): Promise<void> {
  const { deps, report, group } = run;
  const read = await attempt(() => prepareAllowed(run, file, fresh), file, report);
  if (read === null) return;
  const { prepared, isExcluded } = read;
  for (const { reason } of prepared.skipped) report.skipped[reason] = (report.skipped[reason] ?? 0) + 1;
  const onlyAsked = hasOnlyAsked(prepared);
  if (isExcluded || onlyAsked || isEmpty(prepared)) {
    report[isExcluded ? 'excluded' : 'empty'] += 1;
    const isStored = prepared.change.expected !== null;
    if (isExcluded || (onlyAsked && isStored)) await deps.store.deleteSessions([file.sessionId]);
    if (isExcluded) await deps.archive.remove([file.sessionId]);
    deps.state.put([isExcluded ? withoutTexts(prepared.cursor) : prepared.cursor]);
    return;
  }
  group.push({ file, prepared });
  const points = group.reduce((total, one) => total + one.prepared.points, 0);
  if (points >= GROUP_POINTS || deps.now() - run.groupSince > GROUP_MS) await flush(run);
}

/** Writes the queued changes; waits if too many writes are in progress. */
async function flush(run: Run): Promise<void> {
  const { group, writing } = run;
  run.group = [];
  run.groupSince = run.deps.now();
  if (group.length > 0) {
    const write = writeGroup(run, group);
    // The next await reports the error; until then the rejection must count as handled.
    write.catch(() => undefined);
    writing.push(write);
  }
  while (writing.length > GROUPS_UNDER_WAY) await writing.shift();
  // Handles Ctrl-C between two groups.
  await new Promise((resolve) => setImmediate(resolve));
}

/** Writes the remaining changes, and reads transcripts again whose sessions another indexer changed meanwhile. */
async function finish(run: Run): Promise<void> {
  do {
    await flush(run);
    while (run.writing.length > 0) await run.writing.shift();
    for (const file of run.conflicts.splice(0)) await take(run, file, true);
  } while (run.group.length > 0);
}

async function writeGroup(run: Run, group: Group): Promise<void> {
  const { deps, report } = run;
  const { conflicts } = await deps.writer.write(group.map(({ prepared }) => prepared.change));
  const written = group.filter(({ file }) => !conflicts.includes(file.sessionId));
  deps.state.put(written.map(({ prepared }) => prepared.cursor));
  report.indexed += written.length;
  report.points += written.reduce((total, { prepared }) => total + prepared.points, 0);
  run.conflicts.push(...group.filter((one) => !written.includes(one)).map(({ file }) => file));
  await dropForgotten(deps, written);
}

/** Drops sessions forgotten during the read. `forget` notes before it deletes, so one of the two sees the other. */
async function dropForgotten({ store, state, forgotten }: IndexDependencies, written: Group): Promise<void> {
  const noted = forgotten();
  const ids = written.map(({ file }) => file.sessionId).filter((id) => noted.has(id));
  if (ids.length === 0) return;
  await store.deleteSessions(ids);
  state.forgetSessions(ids);
}

async function prepareAllowed(
  run: Run,
  file: TranscriptFile,
  fresh: boolean,
): Promise<{ prepared: PreparedSession; isExcluded: boolean } | null> {
  const prepared = await prepare(run, file, fresh);
  return prepared === null ? null : { prepared, isExcluded: !isAllowed(run.deps, prepared) };
}

async function prepare(
  { deps, storeId, findParent }: Run,
  file: TranscriptFile,
  fresh: boolean,
): Promise<PreparedSession | null> {
  const source = deps.sources.find(({ agent }) => agent === file.agent);
  if (source === undefined) return null;
  const { machine, model, store, state, probe, redactor } = deps;
  return prepareSession({
    file,
    source,
    probe,
    redactor,
    settings: { machine, sizes: model.chunk, chunking: readingRules(deps.model, deps.privacy), storeId },
    stored: await getSession(store, file.sessionId),
    cursor: fresh ? null : state.get(file.path),
    storedHashes: () => store.getHashes(file.sessionId),
    origin: () => findParent(source, file),
  });
}

/** An unreadable transcript is one line in the report. A failing store ends the run. */
async function attempt<T>(
  work: () => Promise<T | null>,
  file: TranscriptFile,
  report: IndexReport,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SmartForkError && error.code !== 'TRANSCRIPT_UNREADABLE') throw error;
    report.failed.push({ path: file.path, reason: errorText(error) });
    return null;
  }
}

function isAllowed({ privacy, probe }: IndexDependencies, { change, cursor }: PreparedSession): boolean {
  const { payload } = change.session;
  return privacy.allows(subjectOf(payload.jsonl_path, payload, cursor.progress.draft, probe));
}

function otherChunking(stored: string, wanted: string): SmartForkError {
  // A server embedded in the meantime.
  if (stored === wanted) {
    const message = `the store has vectors of ${stored}, but texts chunked for another model`;
    return new SmartForkError('STORE_INCOMPATIBLE', message, {
      hint: 'Rebuild the index: smart-fork reindex',
    });
  }
  return new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the store was built for ${stored}, but the model is now ${wanted}`,
    {
      hint: `Use ${stored} again (SMART_FORK_MODEL_DIR or embedding.model), or rebuild the index: smart-fork reindex`,
    },
  );
}
