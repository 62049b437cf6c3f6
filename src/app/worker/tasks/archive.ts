import { errorText } from '../../../domain/errors.ts';
import type { TranscriptFile } from '../../../ports/transcript-source.ts';
import { type ArchiveShelf, readShelf } from '../../archive/archive-shelf.ts';
import { archiveTranscripts, findUnarchived } from '../../archive/archive-transcripts.ts';
import type { Task, TaskContext } from '../task.ts';

/** Archives indexed transcripts. If the archive cannot be written, the next worker tries again. */
export function archiveTask({ opened, log, presence }: TaskContext): Task {
  const { archiving, index } = opened;
  let isBroken = false;
  /** Null: transcripts that are not archived must be looked for. */
  let shelf: ArchiveShelf | null = null;
  let pending: TranscriptFile[] = [];
  const archive = async (signal: AbortSignal) => {
    if (shelf === null) {
      shelf = await readShelf(archiving.archive, archiving.maxBytes);
      pending = findUnarchived(archiving.sources, shelf);
    }
    if (pending.length === 0) return false;
    const report = await archiveTranscripts(archiving, { files: pending, shelf, signal });
    if (!report.interrupted) pending = [];
    if (report.kept > 0) log.info('archived transcripts', { sessions: report.kept, evicted: report.evicted });
    for (const { path, reason } of report.failed) log.error('could not archive', { path, reason });
    // Transcripts without messages are found each time but never archived, so they do not count as work.
    return report.kept > 0 || report.interrupted;
  };
  return {
    isDue: () => archiving.enabled && !isBroken && (shelf === null || pending.length > 0),
    async run(signal) {
      try {
        return await archive(signal);
      } catch (error) {
        isBroken = true;
        presence.fail('cannot archive transcripts', errorText(error));
        return false;
      }
    },
    notice(event) {
      if (event.kind === 'looked') shelf = null;
      if (event.kind !== 'indexed' || event.path === null) return;
      const { path } = event;
      const file = index.sources.map((source) => source.inspect(path)).find((one) => one !== null);
      if (file) pending = [file, ...pending.filter((other) => other.path !== path)];
    },
  };
}
