import { SmartForkError } from '../../domain/errors.ts';
import { nodeCrypto } from '../../domain/point/hash.ts';
import { transcriptHash } from '../../domain/session/record.ts';
import type { ArchiveReader, KeptTranscript } from '../../ports/session-archive.ts';

/** A kept transcript and the archive that has it. */
export interface Kept {
  archive: ArchiveReader;
  transcript: KeptTranscript;
}

/**
 * Does something with the copy of the first archive that has one it can be done with: where a copy is damaged or an archive
 * is away, the next one is asked. Null when no archive has the session.
 * @throws SmartForkError what the first archive said when none could help, and whatever `work` throws of its own
 */
export async function fromArchives<T>(
  archives: ArchiveReader[],
  sessionId: string,
  work: (kept: Kept, read: () => AsyncIterable<Uint8Array>) => Promise<T>,
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
      // Only what the archive is to blame for leads to the next one.
      if (failed === null || error !== failed) throw error;
      problems.push(failed);
    }
  }
  if (problems[0] !== undefined) throw problems[0];
  return null;
}

/**
 * The archives that have most of a session's transcript first, else in the order that they came in: another machine may have
 * gone on with it. One that does not answer stays where it is.
 */
export async function longestFirst(archives: ArchiveReader[], sessionId: string): Promise<ArchiveReader[]> {
  if (archives.length < 2) return archives;
  const lengths = new Map<ArchiveReader, number>();
  for (const archive of archives) {
    const kept = await attempt([], () => archive.find(sessionId));
    lengths.set(archive, kept?.redacted?.bytes ?? kept?.bytes ?? 0);
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

/** A transcript's parts; the end is only reached when all of them together are what was kept. */
async function* verified(
  archive: ArchiveReader,
  transcript: KeptTranscript,
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

function otherBytes({ name }: ArchiveReader, { sessionId }: KeptTranscript): SmartForkError {
  return new SmartForkError(
    'TRANSCRIPT_UNREADABLE',
    `${name} does not hold the bytes of session ${sessionId} that it says it holds`,
    { hint: 'If the transcript is on another machine, index it there again.' },
  );
}
