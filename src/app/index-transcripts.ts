import { errorText, SmartForkError } from '../domain/errors.ts';
import type { LexicalTokenizer } from '../domain/lexical.ts';
import type { ModelRecord } from '../domain/model-record.ts';
import type { Progress } from '../domain/result.ts';
import type { IndexState } from '../ports/index-state.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { RepositoryProbe } from '../ports/repository-probe.ts';
import type { Inheritance, TranscriptFile, TranscriptSource } from '../ports/transcript-source.ts';
import { chunkingName } from './chunking-name.ts';
import { type PreparedSession, prepareSession } from './prepare-session.ts';
import type { PrivacyRules, PrivacySubject } from './privacy-rules.ts';

export interface IndexDependencies {
  store: PointStore;
  state: IndexState;
  sources: TranscriptSource[];
  probe: RepositoryProbe;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  privacy: PrivacyRules;
  model: ModelRecord;
  machine: string;
  now: () => number;
}

export interface IndexRequest {
  /** The transcripts to look at; all that the sources find, unless given. */
  files?: TranscriptFile[];
  /** Reads every transcript from its beginning, changed or not. */
  force?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

export interface IndexReport {
  found: number;
  indexed: number;
  unchanged: number;
  /** Transcripts without a single message. */
  empty: number;
  /** Kept out by the user's privacy rules. */
  excluded: number;
  /** Copies of a session's transcript; the longest one counts. */
  duplicates: number;
  failed: { path: string; reason: string }[];
  /** Points written. */
  points: number;
  skipped: Record<string, number>;
  interrupted: boolean;
}

/** Sessions are written in groups: a transaction costs more than a small session. */
const GROUP_POINTS = 2000;
const GROUP_MS = 1000;

/**
 * Brings the store up to date with transcripts, newest first: words at once, vectors are another use case. Can be
 * interrupted at any moment; what was written stays, and the next run goes on from there.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE; a transcript that cannot be read is reported instead.
 */
export async function indexTranscripts(deps: IndexDependencies, request: IndexRequest): Promise<IndexReport> {
  const info = await deps.store.info();
  if (info.model !== null && info.chunking !== null && info.chunking !== chunkingName(deps.model)) {
    throw otherChunking(info.model.id, deps.model.id);
  }
  const run = startRun(deps, request, info.storeId);
  let done = 0;
  for (const file of run.pending) {
    if (request.signal?.aborted) break;
    request.onProgress?.({ unit: 'session', done, total: run.pending.length, label: file.sessionId });
    await run.take(file);
    done += 1;
  }
  await run.flush();
  run.report.interrupted = request.signal?.aborted === true;
  if (run.report.indexed > 0) await deps.store.refresh(request.signal);
  deps.state.setLastSynced(new Date(deps.now()).toISOString());
  request.onProgress?.({ unit: 'session', done, total: run.pending.length });
  return run.report;
}

interface Run {
  report: IndexReport;
  pending: TranscriptFile[];
  take(file: TranscriptFile): Promise<void>;
  flush(): Promise<void>;
}

function startRun(deps: IndexDependencies, request: IndexRequest, storeId: string): Run {
  const report = emptyReport();
  const onProblem = (path: string, reason: string) => report.failed.push({ path, reason });
  const all = deps.sources.flatMap((source) => source.find(onProblem));
  const files = withoutDuplicates(request.files ?? all, report);
  const pending = changedFiles(deps, files, storeId, request.force === true, report);
  const heads = new Map<string, TranscriptFile[]>();
  let group: PreparedSession[] = [];
  let groupPoints = 0;
  let groupSince = deps.now();

  const prepare = async (file: TranscriptFile, fresh: boolean): Promise<PreparedSession | null> => {
    const source = deps.sources.find(({ agent }) => agent === file.agent);
    if (source === undefined) return null;
    return prepareSession({
      file,
      source,
      probe: deps.probe,
      tokenizer: deps.tokenizer,
      redactor: deps.redactor,
      settings: {
        machine: deps.machine,
        sizes: deps.model.chunk,
        chunking: readingRules(deps),
        storeId,
      },
      stored: await deps.store.getSession(file.sessionId),
      cursor: fresh ? null : deps.state.get(file.path),
      storedHashes: () => deps.store.getHashes(file.sessionId),
      inheritance: (fingerprint) => inheritanceOf(deps, source, file, fingerprint, all, heads),
    });
  };
  const flush = async (): Promise<void> => {
    if (group.length === 0) return;
    const { conflicts } = await deps.store.write(group.map(({ change }) => change));
    const written = group.filter(({ cursor }) => !conflicts.includes(cursor.sessionId));
    deps.state.put(written.map(({ cursor }) => cursor));
    report.indexed += written.length;
    report.points += written.reduce((total, { points }) => total + points, 0);
    const lost = group.filter((one) => !written.includes(one));
    group = [];
    groupPoints = 0;
    groupSince = deps.now();
    for (const { cursor } of lost)
      await take(
        files.find(({ path }) => path === cursor.path),
        true,
      );
    await new Promise((resolve) => setImmediate(resolve));
  };
  const take = async (file: TranscriptFile | undefined, fresh: boolean): Promise<void> => {
    const prepared = file === undefined ? null : await attempt(() => prepare(file, fresh), file, report);
    if (prepared === null) return;
    for (const { reason } of prepared.skipped) report.skipped[reason] = (report.skipped[reason] ?? 0) + 1;
    const isKeptOut = !deps.privacy.allows(subjectOf(prepared));
    if (isKeptOut || isEmpty(prepared)) {
      report[isKeptOut ? 'excluded' : 'empty'] += 1;
      if (isKeptOut) await deps.store.deleteSessions([prepared.cursor.sessionId]);
      deps.state.put([prepared.cursor]);
      return;
    }
    group.push(prepared);
    groupPoints += prepared.points;
    if (groupPoints >= GROUP_POINTS || deps.now() - groupSince > GROUP_MS) await flush();
  };
  return { report, pending, take: (file) => take(file, request.force === true), flush };
}

/** One transcript that cannot be read is one line in the report. A store that fails ends the run. */
async function attempt(
  work: () => Promise<PreparedSession | null>,
  file: TranscriptFile,
  report: IndexReport,
): Promise<PreparedSession | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SmartForkError && error.code !== 'TRANSCRIPT_UNREADABLE') throw error;
    report.failed.push({ path: file.path, reason: errorText(error) });
    return null;
  }
}

function emptyReport(): IndexReport {
  return {
    found: 0,
    indexed: 0,
    unchanged: 0,
    empty: 0,
    excluded: 0,
    duplicates: 0,
    failed: [],
    points: 0,
    skipped: {},
    interrupted: false,
  };
}

/** Of several transcripts with one session id the longest is the session; then the newest. */
function withoutDuplicates(files: TranscriptFile[], report: IndexReport): TranscriptFile[] {
  const best = new Map<string, TranscriptFile>();
  for (const file of files) {
    const other = best.get(file.sessionId);
    const wins =
      other === undefined ||
      file.size > other.size ||
      (file.size === other.size && file.mtimeMs > other.mtimeMs);
    if (wins) best.set(file.sessionId, file);
  }
  report.duplicates = files.length - best.size;
  report.found = best.size;
  return [...best.values()].sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
}

function changedFiles(
  deps: IndexDependencies,
  files: TranscriptFile[],
  storeId: string,
  force: boolean,
  report: IndexReport,
): TranscriptFile[] {
  if (force) return files;
  const stamps = deps.state.stamps(storeId, readingRules(deps));
  const changed = files.filter((file) => {
    const stamp = stamps.get(file.path);
    return (
      stamp?.size !== file.size ||
      stamp.mtimeMs !== file.mtimeMs ||
      stamp.inode !== file.inode ||
      stamp.name !== (file.name ?? null)
    );
  });
  report.unchanged = files.length - changed.length;
  return changed;
}

/** Copied lines are left to the parent, but only where the parent is here or was indexed: nothing may be lost. */
async function inheritanceOf(
  deps: IndexDependencies,
  source: TranscriptSource,
  file: TranscriptFile,
  fingerprint: string | null,
  all: TranscriptFile[],
  heads: Map<string, TranscriptFile[]>,
): Promise<Inheritance | null> {
  if (heads.size === 0) groupByFingerprint(source, all, heads);
  const paths = new Set(fingerprint === null ? [] : deps.state.sharing(fingerprint).map(({ path }) => path));
  const siblings = new Set(fingerprint === null ? [] : (heads.get(fingerprint) ?? []));
  for (const other of all) if (paths.has(other.path)) siblings.add(other);
  const found = source.findInheritance(file, [...siblings]);
  if (found === null) return null;
  const isHere = all.some(({ sessionId }) => sessionId === found.parentId);
  if (isHere || (await deps.store.getSession(found.parentId)) !== null) return found;
  return { ...found, inheritedBytes: 0 };
}

function groupByFingerprint(
  source: TranscriptSource,
  all: TranscriptFile[],
  heads: Map<string, TranscriptFile[]>,
): void {
  for (const file of all) {
    if (file.agent !== source.agent) continue;
    const fingerprint = fingerprintOf(source, file) ?? '';
    heads.set(fingerprint, [...(heads.get(fingerprint) ?? []), file]);
  }
}

function fingerprintOf(source: TranscriptSource, file: TranscriptFile): string | null {
  try {
    return source.head(file).fingerprint;
  } catch {
    // Reading the file itself will fail too, and is reported there.
    return null;
  }
}

function subjectOf({ change }: PreparedSession): PrivacySubject {
  const { jsonl_path, working_directory, repo_key, repo_name, branch } = change.session.payload;
  return {
    path: jsonl_path,
    workingDirectory: working_directory,
    repoKey: repo_key,
    repoName: repo_name,
    branch,
  };
}

/** What cursors are kept by: other sizes, or other rules of the user's, and every transcript is read again. */
function readingRules({ model, privacy }: IndexDependencies): string {
  return `${chunkingName(model)} ${privacy.name}`;
}

function isEmpty({ change, cursor }: PreparedSession): boolean {
  const { payload } = change.session;
  const isNew = change.expected === null;
  return (
    isNew &&
    change.upserts.length === 0 &&
    payload.inherited_messages === 0 &&
    cursor.progress.draft.toolCalls === 0
  );
}

function otherChunking(stored: string, wanted: string): SmartForkError {
  return new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the store was filled for ${stored}, but the model is now ${wanted}`,
    {
      hint: `Use ${stored} again (SMART_FORK_MODEL_DIR or embedding.model), or rebuild the index: smart-fork reindex`,
    },
  );
}
