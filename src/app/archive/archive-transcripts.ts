import { errorText, SmartForkError } from '../../domain/errors.ts';
import { ownerOf, subagentId } from '../../domain/session/session-id.ts';
import type { Progress } from '../../domain/summary.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { SessionArchive } from '../../ports/session-archive.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { getSession } from '../sessions/get-session.ts';
import { withoutDuplicates } from '../sessions/without-duplicates.ts';
import { type ArchiveShelf, readShelf } from './archive-shelf.ts';

export interface ArchiveDependencies {
  store: Pick<PointStore, 'getSessions'>;
  sources: TranscriptSource[];
  archive: SessionArchive;
  enabled: boolean;
  /** Size limit on disk, in bytes. */
  maxBytes: number;
}

interface ArchiveRequest {
  /** Defaults to all transcripts. */
  files?: TranscriptFile[];
  /** The archive's contents, if already read. */
  shelf?: ArchiveShelf;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

interface ArchiveReport {
  /** Number of transcripts written, completely or in part. */
  kept: number;
  evicted: number;
  failed: { path: string; reason: string }[];
  interrupted: boolean;
}

/**
 * Archives the transcript of each indexed session, newest first. Sessions that are not indexed (excluded by privacy rules, empty)
 * are not archived. Can be interrupted at any time; the next run continues.
 * @throws SmartForkError STORE_UNAVAILABLE. An unreadable transcript is reported, not thrown.
 */
export async function archiveTranscripts(
  deps: ArchiveDependencies,
  request: ArchiveRequest,
): Promise<ArchiveReport> {
  const report: ArchiveReport = { kept: 0, evicted: 0, failed: [], interrupted: false };
  if (!deps.enabled) return report;
  const shelf = request.shelf ?? (await readShelf(deps.archive, deps.maxBytes));
  const pending = findUnarchived(deps.sources, shelf, request.files);
  for (const [done, file] of pending.entries()) {
    if (request.signal?.aborted) break;
    request.onProgress?.({ unit: 'session', done, total: pending.length, label: file.sessionId });
    // Another process may have used up the space in the meantime.
    if (shelf.hasRoomFor(file)) await archiveOne(deps, file, shelf, report);
  }
  // Even if nothing was archived, because the limit may have changed.
  report.evicted += await deps.archive.remove(shelf.makeRoom());
  report.interrupted = request.signal?.aborted === true;
  return report;
}

/** Transcripts whose current state is not archived, newest first. Reads no transcript. */
export function findUnarchived(
  sources: TranscriptSource[],
  shelf: ArchiveShelf,
  files = sources.flatMap((source) => source.find()),
): TranscriptFile[] {
  return withoutDuplicates(files)
    .flatMap((file) => [file, ...subagentsOf(file)])
    .filter((file) => !shelf.holds(file) && shelf.hasRoomFor(file));
}

/** The transcripts of a session's subagents, which are archived separately. */
function subagentsOf({ agent, sessionId, subagents = [] }: TranscriptFile): TranscriptFile[] {
  return subagents.map(({ agentId, ...file }) => ({
    agent,
    sessionId: subagentId(sessionId, agentId),
    ...file,
  }));
}

async function archiveOne(
  { store, sources, archive }: ArchiveDependencies,
  file: TranscriptFile,
  shelf: ArchiveShelf,
  report: ArchiveReport,
): Promise<void> {
  const source = sources.find(({ agent }) => agent === file.agent);
  const isIndexed = async () => (await getSession(store, ownerOf(file.sessionId))) !== null;
  const bytes = source?.bytes;
  if (bytes === undefined || !(await isIndexed())) return;
  const result = await attempt(
    archive.save(file, (from) => bytes.parts(file.path, from)),
    file,
    report,
  );
  if (result === null) return;
  shelf.put(file, result.storedBytes);
  // The session was forgotten in the meantime, so nothing of it may stay.
  const unwanted = (await isIndexed()) ? shelf.makeRoom() : shelf.take(file.sessionId);
  const stays = !unwanted.includes(file.sessionId);
  if (unwanted.length > 0) await archive.remove(unwanted);
  report.evicted += unwanted.length - (stays ? 0 : 1);
  if (stays && result.kind === 'saved') report.kept += 1;
}

/** Turns an unreadable transcript into a line of the report. */
async function attempt<T>(work: Promise<T>, file: TranscriptFile, report: ArchiveReport): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SmartForkError) || error.code !== 'TRANSCRIPT_UNREADABLE') throw error;
    report.failed.push({ path: file.path, reason: errorText(error) });
    return null;
  }
}
