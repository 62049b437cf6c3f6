import { SmartForkError } from '../../domain/errors.ts';
import { identityOf } from '../../domain/point/session-points.ts';
import type { FileReason } from '../../domain/session/unread.ts';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';
import { applyPrivacyRules } from '../privacy/apply-privacy-rules.ts';
import { withoutDuplicates } from '../sessions/without-duplicates.ts';
import { chunkingName, readingRules } from './chunking-name.ts';
import { dropOldNames } from './drop-old-names.ts';
import { createFindParent } from './find-parent.ts';
import { emptyReport, type IndexReport } from './index-report.ts';
import type { IndexDependencies, IndexRequest, Run } from './index-run.ts';
import { findTranscripts, hasChanged } from './select-transcripts.ts';
import { take } from './take-transcript.ts';
import { settle } from './write-groups.ts';

export type { IndexDependencies, IndexRequest } from './index-run.ts';

/**
 * Updates the store from transcripts, newest first, for keyword search; embedding is a separate step. Can be interrupted at any
 * time; the next run continues.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE; MODEL_MISMATCH. An unreadable transcript is reported, not thrown.
 */
export async function indexTranscripts(deps: IndexDependencies, request: IndexRequest): Promise<IndexReport> {
  const info = await deps.store.info();
  if (info.model !== null && info.chunking !== null && info.chunking !== chunkingName(deps.model)) {
    throw otherChunking(info.model.id, deps.model.id);
  }
  if (request.files === undefined) await applyPrivacyRules(deps);
  let run = startRun(deps, request, info.storeId);
  if (run.pending.length > 0 && (await request.beforeWork?.())) run = startRun(deps, request, info.storeId);
  if (request.files === undefined && (await dropOldNames(run))) run = startRun(deps, request, info.storeId);
  deps.writer.expect(run.pending.reduce((total, { size }) => total + size, 0));
  let done = 0;
  for (const file of run.pending) {
    if (request.signal?.aborted) break;
    request.onProgress?.({
      unit: 'session',
      done,
      total: run.pending.length,
      // Finding it takes as long as reading a short transcript, and few labels are painted.
      get label() {
        return repositoryOf(deps, file);
      },
    });
    await take(run, file, request.force === true);
    done += 1;
  }
  await finish(run);
  run.report.interrupted = request.signal?.aborted === true;
  // Even if nothing was indexed, because an earlier run may have been killed before this step.
  if (request.deferRefresh !== true) await deps.store.refresh(request.signal);
  deps.state.setLastSynced(new Date(deps.now()).toISOString());
  if (done > 0) request.onProgress?.({ unit: 'session', done, total: run.pending.length });
  return run.report;
}

/** The name of the session's repository. */
function repositoryOf(
  { sources, probe, machine, startLimit }: IndexDependencies,
  file: TranscriptFile,
): string {
  if (file.onlyPrompts === true) return 'prompt history';
  const source = sources.find(({ agent }) => agent === file.agent);
  try {
    return startLimit(LABEL_MS).run(() => {
      const workingDirectory = source?.head(file).workingDirectory ?? null;
      if (workingDirectory === null) return file.sessionId;
      const { agent, sessionId } = file;
      const session = { agent, sessionId, machine, workingDirectory, remoteUrl: null };
      return identityOf(session, probe(workingDirectory)).repo_name || file.sessionId;
    });
  } catch {
    // Reading the transcript itself will fail too and be reported there.
    return file.sessionId;
  }
}

const LABEL_MS = 5000;

/** Transcripts that changed since they were read, newest first. Reads no transcript. */
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

/** Lists transcripts once, on the first call. */
function findOnce({ sources }: IndexDependencies, onProblem: OnProblem): () => TranscriptFile[] {
  let found: TranscriptFile[] | null = null;
  return () => {
    found ??= findTranscripts(sources, onProblem);
    return found;
  };
}

function startRun(deps: IndexDependencies, request: IndexRequest, storeId: string): Run {
  const report = emptyReport();
  const unread: { path: string; reason: FileReason }[] = [];
  const onProblem: OnProblem = (path, reason, kind) => {
    unread.push({ path, reason: kind ?? 'unreadable' });
    if (kind === undefined) report.failed.push({ path, reason });
    else if (kind === 'copy') report.duplicates += 1;
  };
  const find = findOnce(deps, onProblem);
  const given = request.files ?? find();
  const all = withoutDuplicates(given);
  const forgotten = deps.forgotten();
  const files = all.filter(({ sessionId }) => !forgotten.has(sessionId));
  const stamps = deps.state.stamps(storeId, readingRules(deps.model, deps.privacy));
  const pending = request.force ? files : files.filter((file) => hasChanged(file, stamps.get(file.path)));
  report.found = transcriptsIn(all);
  report.excluded = transcriptsIn(all) - transcriptsIn(files);
  report.duplicates += given.length - all.length;
  if (request.files === undefined) deps.state.noteUnreadFiles([...unread, ...copiesIn(given, all)]);
  report.unchanged = transcriptsIn(files) - transcriptsIn(pending);
  const ids = new Set(given.map(({ sessionId }) => sessionId));
  const copies = [
    ...unread.filter(({ reason }) => reason === 'copy'),
    ...given.filter(({ isCopy }) => isCopy),
  ];
  const findParent = createFindParent(deps, find, (path) => request.force !== true && stamps.has(path));
  return {
    deps,
    report,
    storeId,
    findParent,
    pending,
    copies: copies.map(({ path }) => path),
    isHere: (sessionId) => ids.has(sessionId),
    group: [],
    groupSince: deps.now(),
    probed: new Map(),
    writing: [],
    signal: request.signal,
    conflicts: [],
  };
}

function copiesIn(files: TranscriptFile[], read: TranscriptFile[]): { path: string; reason: 'copy' }[] {
  const paths = new Set(read.map(({ path }) => path));
  return files.flatMap(({ path }) => (paths.has(path) ? [] : [{ path, reason: 'copy' as const }]));
}

function transcriptsIn(files: TranscriptFile[]): number {
  return files.filter(({ onlyPrompts }) => onlyPrompts !== true).length;
}

/** Writes the remaining changes, and rereads transcripts of sessions that another indexer changed in the meantime. */
async function finish(run: Run): Promise<void> {
  do {
    await settle(run);
    for (const file of run.conflicts.splice(0)) await take(run, file, true);
  } while (run.group.length > 0);
}

function otherChunking(stored: string, wanted: string): SmartForkError {
  // A server has embedded texts in the meantime.
  if (stored === wanted) {
    const message = `the store has vectors of ${stored}, but texts chunked for another model`;
    return new SmartForkError('MODEL_MISMATCH', message, {
      hint: 'Rebuild the index: smart-fork reindex',
    });
  }
  return new SmartForkError(
    'MODEL_MISMATCH',
    `the store was built for ${stored}, but the model is now ${wanted}`,
    {
      hint: `Use ${stored} again (SMART_FORK_MODEL_DIR or embedding.model), or rebuild the index: smart-fork reindex`,
    },
  );
}
