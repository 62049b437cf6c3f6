import type { SessionPayload } from '../../../domain/point/point.ts';
import type { Redactor } from '../../../ports/redactor.ts';
import type { ArchiveCommit, ArchivePoint } from '../../../ports/remote-store.ts';
import {
  type ArchiveReader,
  MAX_SHARED_BYTES,
  PART_BYTES,
  type SharedArchive,
  type SharedContent,
  type SharedTranscript,
} from '../../../ports/session-archive.ts';
import type { TranscriptSource } from '../../../ports/transcript-source.ts';
import { redactJsonLines } from '../../privacy/redact-json-lines.ts';
import { findOriginal, type Original, unlessUnreadable } from '../agree/find-original.ts';

export interface TranscriptDependencies {
  sources: TranscriptSource[];
  /** This machine's archive. */
  kept: ArchiveReader;
  /** The server's archive. */
  archive: Pick<SharedArchive, 'open' | 'complete' | 'prepare'>;
  redactor: Redactor;
  /** Name of the redactor's rules. */
  rules: string;
}

export interface TranscriptToSend {
  /** The session in the local store. */
  session: SessionPayload;
  /** Its id on the server. */
  remoteId: string;
  /** Checks that the parts on the server are complete. */
  whole: boolean;
  /** An earlier attempt was interrupted, so the server may have parts that no manifest names. */
  again: boolean;
}

/**
 * Brings a session's transcript on the server up to date, redacted. If the transcript grew, sends its last part and the new ones.
 * Null if the server already has it, if this machine no longer has it, or if it is too long.
 * @throws SmartForkError as the server's store does
 */
export async function prepareTranscript(
  deps: TranscriptDependencies,
  { session, remoteId, whole, again }: TranscriptToSend,
  manifest: ArchivePoint | null,
): Promise<ArchiveCommit | null> {
  const { archive, rules } = deps;
  const { bytes, content_hash: contentHash, agent } = session;
  const original = bytes > MAX_SHARED_BYTES ? null : await findOriginal(deps, session);
  if (original === null) return null;
  const known = await findKnown(archive, remoteId, manifest, whole);
  if (!again && known?.original.contentHash === contentHash && known.rules === rules) return null;
  const first = await countClean(deps, original, known);
  const content =
    first > 0 ? { parts: original.from(first), places: () => 0 } : redacted(original, deps.redactor);
  const transcript = { sessionId: remoteId, agent, original: { bytes, contentHash }, rules };
  const commit = await archive.prepare(transcript, known, first, content);
  return { ...commit, cleans: commit.cleans || again || (manifest !== null && known === null) };
}

/** The server's transcript, if it can be extended. One with a damaged manifest or missing parts is replaced. */
async function findKnown(
  archive: TranscriptDependencies['archive'],
  remoteId: string,
  manifest: ArchivePoint | null,
  whole: boolean,
): Promise<SharedTranscript | null> {
  if (manifest === null) return null;
  const known = await unlessUnreadable(async () => archive.open(remoteId, manifest));
  return known !== null && whole && !(await archive.complete(known)) ? null : known;
}

/**
 * How many leading parts can stay: if nothing has been redacted, neither before nor in the new part, the parts on the server equal the
 * transcript's. The line across the boundary is checked as a whole.
 */
async function countClean(
  { redactor, rules }: TranscriptDependencies,
  original: Original,
  known: SharedTranscript | null,
): Promise<number> {
  if (known === null || known.redacted !== undefined || known.rules !== rules) return 0;
  const changed = original.digests.findIndex((digest, index) => {
    const part = known.parts[index];
    return part?.digest !== digest || part.bytes !== PART_BYTES;
  });
  const first = changed < 0 ? original.digests.length : changed;
  if (first === 0) return 0;
  let found = 0;
  const pieces = redactPieces(linesFrom(original, first), redactor, (list) => {
    found += list.length;
  });
  for await (const _ of pieces) if (found > 0) return 0;
  return first;
}

/** From the start of the line in which the part begins. */
async function* linesFrom(original: Original, part: number): AsyncGenerator<Uint8Array> {
  let [from, offset] = [part, 0];
  while (from > 0 && offset === 0) {
    from -= 1;
    for await (const bytes of original.from(from)) {
      offset = bytes.lastIndexOf(NEWLINE) + 1;
      break;
    }
  }
  for await (const bytes of original.from(from)) {
    yield bytes.subarray(offset);
    offset = 0;
  }
}

function redacted(original: Original, redactor: Redactor): SharedContent {
  let places = 0;
  const pieces = redactPieces(original.from(0), redactor, (rules) => {
    places += rules.length;
  });
  return { parts: cutParts(pieces), places: () => places };
}

/** Redacts a transcript that arrives in arbitrary pieces, line by line. `onRules` receives the rules that matched. */
async function* redactPieces(
  pieces: AsyncIterable<Uint8Array>,
  redactor: Redactor,
  onRules: (rules: string[]) => void,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  const redact = async (bytes: Uint8Array) => {
    const redacted = await redactJsonLines(bytes, redactor);
    onRules(redacted.rules);
    return redacted.bytes;
  };
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const lines = Buffer.concat([...rest, piece.subarray(0, end)]);
      rest = [];
      yield await redact(lines);
    }
    if (end < piece.length) rest.push(piece.subarray(end));
  }
  if (rest.length > 0) yield await redact(Buffer.concat(rest));
}

const NEWLINE = 10;

/** Cuts the same bytes into parts of the archive's part size. */
async function* cutParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (let piece of pieces) {
    while (size + piece.length >= PART_BYTES) {
      const room = PART_BYTES - size;
      yield Buffer.concat([...held, piece.subarray(0, room)]);
      piece = piece.subarray(room);
      held = [];
      size = 0;
    }
    if (piece.length > 0) held.push(piece);
    size += piece.length;
  }
  if (size > 0) yield Buffer.concat(held);
}
