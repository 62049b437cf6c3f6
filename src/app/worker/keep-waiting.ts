import { errorText } from '../../domain/errors.ts';
import { readShelf } from '../archive/archive-shelf.ts';
import { findUnkept, keepTranscripts } from '../archive/keep-transcripts.ts';
import { untilArrival } from '../fork/until-arrival.ts';
import type { WorkerRun } from './worker-run.ts';

/** Keeps copies of what was indexed; false when there is nothing to keep. An archive that cannot be written stops nothing else. */
export async function keepWaiting(run: WorkerRun): Promise<boolean> {
  const { keeping } = run.opened;
  if (!keeping.enabled || run.canKeep === false) return false;
  try {
    if (run.shelf === null) {
      run.shelf = await readShelf(keeping.archive, keeping.maxBytes);
      run.unkept = findUnkept(keeping.sources, run.shelf);
    }
    const files = run.unkept;
    if (files.length === 0) return false;
    const shelf = run.shelf;
    const report = await untilArrival(run, (signal) => keepTranscripts(keeping, { files, shelf, signal }));
    if (!report.interrupted) run.unkept = [];
    if (report.kept > 0)
      run.deps.log.info('kept transcripts', { sessions: report.kept, evicted: report.evicted });
    for (const { path, reason } of report.failed) run.deps.log.error('could not keep', { path, reason });
    // Transcripts without a message are looked at each time and never kept: that is no work.
    return report.kept > 0 || report.interrupted;
  } catch (error) {
    // The next worker tries again.
    run.canKeep = false;
    run.record.lastError = { message: errorText(error), at: new Date(run.deps.now()).toISOString() };
    run.deps.log.error('cannot keep transcripts', { reason: errorText(error) });
    return false;
  }
}
