import { errorText } from '../../../domain/errors.ts';
import type { OnProblem, TranscriptFile } from '../../../ports/transcript-source.ts';
import { findChangedTranscripts, indexTranscripts } from '../../index/index-transcripts.ts';
import { applyPrivacyRules } from '../../privacy/apply-privacy-rules.ts';
import type { Task, TaskContext } from '../task.ts';
import { hasStoreFailed } from './has-store-failed.ts';

/** Transcripts written together. */
const BATCH = 25;
/** Applies even if hooks work. */
const LOOK_EVERY_MS = 300_000;

/** Finds and indexes transcripts that changed without a job, because hooks are not installed or failed. */
export function lookForChanges(context: TaskContext): Task {
  const { log, now, tell, presence } = context;
  const { automatic } = context.opened;
  let isAsked = automatic;
  let lookedAt = 0;
  /** Newest first. */
  let changed: TranscriptFile[] = [];
  /** Unreadable transcripts by path, with their mtime, so that they are not found again and again. */
  const refused = new Map<string, number>();
  const isLookDue = () => isAsked || (automatic && Math.abs(now() - lookedAt) >= LOOK_EVERY_MS);
  const leave = () => {
    presence.record.left = changed.length;
    presence.beat();
  };
  const look = async () => {
    changed = await findChanged(context, refused);
    lookedAt = now();
    isAsked = false;
    tell({ kind: 'looked' });
    leave();
    if (changed.length > 0) log.info('found changed transcripts', { count: changed.length });
  };
  return {
    isDue: () => changed.length > 0 || isLookDue(),
    async run(signal) {
      if (changed.length === 0 && isLookDue()) await look();
      const files = changed.slice(0, BATCH);
      if (files.length === 0) return false;
      const report = await indexBatch(context, files, signal);
      if (!report.interrupted) changed = changed.slice(BATCH);
      leave();
      for (const { path, mtimeMs } of report.failed) refused.set(path, mtimeMs);
      if (report.indexed > 0) tell({ kind: 'indexed', path: null, grew: true, sessionEnded: false });
      log.info('indexed changed transcripts', { sessions: report.indexed, left: changed.length });
      return true;
    },
    notice({ kind }) {
      if (kind === 'anything changed') isAsked = true;
    },
  };
}

async function findChanged(
  { opened, log, spool }: TaskContext,
  refused: Map<string, number>,
): Promise<TranscriptFile[]> {
  const onProblem: OnProblem = (path, reason, kind) => {
    if (kind === undefined) log.error('cannot read', { path, reason });
  };
  await applyPrivacyRules(opened.index);
  const putAside = new Map(spool.failed().map(({ job, failedAt }) => [job?.transcriptPath, failedAt]));
  const changed = await findChangedTranscripts(opened.index, onProblem);
  return changed.filter(
    ({ path, mtimeMs }) =>
      mtimeMs > Date.parse(putAside.get(path) || '1970-01-01') && refused.get(path) !== mtimeMs,
  );
}

interface Batch {
  indexed: number;
  interrupted: boolean;
  failed: TranscriptFile[];
}

async function indexBatch(
  context: TaskContext,
  files: TranscriptFile[],
  signal: AbortSignal,
): Promise<Batch> {
  const { index } = context.opened;
  try {
    const report = await indexTranscripts(index, { files, deferRefresh: true, signal });
    const reasons = new Map(report.failed.map(({ path, reason }) => [path, reason]));
    const failed = files.filter(({ path }) => reasons.has(path));
    for (const { path } of failed) makeJob(context, path, reasons.get(path) ?? '');
    return { indexed: report.indexed + report.onlyPrompts, interrupted: report.interrupted, failed };
  } catch (error) {
    if (await hasStoreFailed(index.store, error)) throw error;
    for (const { path } of files) makeJob(context, path, errorText(error));
    return { indexed: 0, interrupted: false, failed: files };
  }
}

/** Turns a failure into a job, so that it is retried and counted like any other. */
function makeJob({ spool, log, now }: TaskContext, path: string, reason: string): void {
  log.error('could not index', { path, reason });
  const at = new Date(now()).toISOString();
  spool.add({ event: 'changed', transcriptPath: path, sessionId: null, at });
}
