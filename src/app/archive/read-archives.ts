import { SmartForkError } from '../../domain/errors.ts';
import { transcriptHash } from '../../domain/point/session-points.ts';
import { nodeCrypto } from '../../domain/text/hash.ts';
import type { ArchivedTranscript, ArchiveReader } from '../../ports/session-archive.ts';

/** An archived transcript, and the archive that has it. */
export interface ArchivedCopy {
  archive: ArchiveReader;
  transcript: ArchivedTranscript;
}

/**
 * Runs `work` on the session's copy in the first archive for which it succeeds; skips damaged copies and unreachable archives.
 * Null if no archive has the session.
 * @throws SmartForkError the first archive's error if every archive failed, and errors of `work` itself
 */
export async function fromArchives<T>(
  archives: ArchiveReader[],
  sessionId: string,
  work: (copy: ArchivedCopy, read: () => AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T | null> {
  const problems: SmartForkError[] = [];
  for (const archive of archives) {
    const found = await attempt(problems, () => archive.find(sessionId));
    if (found === null) continue;
    let failed: SmartForkError | null = null;
    const read = () =>
      verified(archive, found, (error) => {
        failed = error;
      });
    try {
      return await work({ archive, transcript: found }, read);
    } catch (error) {
      // Only a failure of the archive itself moves on to the next archive.
      if (failed === null || error !== failed) throw error;
      problems.push(failed);
    }
  }
  if (problems[0] !== undefined) throw problems[0];
  return null;
}

/**
 * Sorts archives by how much of the session's transcript they have, most first: another machine may have continued the session.
 * An archive that does not answer keeps its place.
 */
export async function longestFirst(archives: ArchiveReader[], sessionId: string): Promise<ArchiveReader[]> {
  if (archives.length < 2) return archives;
  const lengths = new Map<ArchiveReader, number>();
  for (const archive of archives) {
    const copy = await attempt([], () => archive.find(sessionId));
    lengths.set(archive, copy?.redacted?.bytes ?? copy?.bytes ?? 0);
  }
  return archives.toSorted((a, b) => (lengths.get(b) ?? 0) - (lengths.get(a) ?? 0));
}

async function attempt<T>(problems: SmartForkError[], work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    problems.push(error);
    return null;
  }
}

/** The transcript's parts. Throws before the end unless all of them together match the archived hash. */
async function* verified(
  archive: ArchiveReader,
  transcript: ArchivedTranscript,
  onFailure: (error: SmartForkError) => void,
): AsyncGenerator<Uint8Array> {
  const digests: string[] = [];
  try {
    for await (const part of archive.read(transcript)) {
      digests.push(nodeCrypto().createHash('sha256').update(part).digest('hex'));
      yield part;
    }
    if (transcriptHash(digests) !== transcript.contentHash) throw otherBytes(archive, transcript);
  } catch (error) {
    if (error instanceof SmartForkError) onFailure(error);
    throw error;
  }
}

function otherBytes({ name }: ArchiveReader, { sessionId }: ArchivedTranscript): SmartForkError {
  return new SmartForkError(
    'TRANSCRIPT_UNREADABLE',
    `${name}: the copy of session ${sessionId} does not match its manifest`,
    { hint: 'If another machine has the transcript, index it again there.' },
  );
}
