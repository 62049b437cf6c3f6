import type { ChunkSizes } from '../../domain/model/model-record.ts';
import { BEFORE_FIRST_TURN, markOwnTurns } from '../../domain/own/own-turns.ts';
import {
  addToChunks,
  type Chunk,
  type ChunkMessage,
  emptyChunkerState,
  openChunk,
} from '../../domain/point/chunking.ts';
import { sha256 } from '../../domain/point/hash.ts';
import { addToIntents, emptyIntentState, type Intent, openIntent } from '../../domain/point/intents.ts';
import type { ChunkPayload, IntentPayload, Point, SessionPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import { addEvent, emptyDraft } from '../../domain/session/draft.ts';
import {
  chunkPoint,
  identityOf,
  intentPoint,
  type SessionIdentity,
  sessionPoint,
} from '../../domain/session/record.ts';
import { findMarkers, MARKERS } from '../../domain/session/session.ts';
import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { Cursor, ReadingProgress } from '../../ports/index-state.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';
import type { UntokenizedChange } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { SkippedLine, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';
import type { Origin } from './find-parent.ts';

export interface PrepareSettings {
  machine: string;
  sizes: ChunkSizes;
  /** Names the chunk sizes and the version of the readers; see Cursor. */
  chunking: string;
  storeId: string;
}

export interface PrepareInput {
  file: TranscriptFile;
  source: TranscriptSource;
  probe: RepositoryProbe;
  /** Redacts every text before any other step. */
  redactor: Redactor;
  settings: PrepareSettings;
  /** The stored session, and its cursor, which is validated here. */
  stored: SessionPayload | null;
  cursor: Cursor | null;
  /** Id to content_hash of the stored points; called only when a stored session is read from its beginning. */
  storedHashes: () => Promise<Map<string, string>>;
  /** The session's origin; called only when it is read from its beginning. */
  origin: () => Promise<Origin>;
}

export interface PreparedSession {
  change: UntokenizedChange;
  cursor: Cursor;
  skipped: SkippedLine[];
  /** Points to write. */
  points: number;
}

/**
 * Computes the changes that a transcript makes to the store. Reads from the cursor if the file only grew, else from the
 * beginning. Writes nothing.
 */
export async function prepareSession(input: PrepareInput): Promise<PreparedSession> {
  const { file, source, stored } = input;
  const { progress, reading, growing } = (await readOn(input)) ?? (await readAll(input));
  const identity = identify(input, progress);
  progress.parts = source.digest(file.path, progress.offset, progress.parts.slice(0, -1));
  const points = textPoints(identity, reading, progress);
  const session = sessionPoint(identity, {
    draft: progress.draft,
    markers: MARKERS.filter((marker) => progress.markers.includes(marker)),
    tags: stored?.tags ?? [],
    path: file.path,
    bytes: progress.offset,
    lines: progress.lines,
    chunks: progress.chunker.index + (openChunk(progress.chunker) === null ? 0 : 1),
    intents: progress.intents.index + (openIntent(progress.intents) === null ? 0 : 1),
    parts: progress.parts,
  });
  const { upserts, deletes } = growing
    ? {
        upserts: points.filter(({ id, payload }) => growing.get(id) !== payload.content_hash),
        deletes: [],
      }
    : await compare(points, identity, input);
  return {
    change: {
      session,
      upserts,
      deletes,
      expected: stored?.content_hash ?? null,
      points: growing === null ? points : null,
    },
    cursor: cursorOf(input, progress, session.payload.content_hash),
    skipped: reading.skipped,
    points: upserts.length + 1,
  };
}

interface Read {
  progress: ReadingProgress;
  reading: Reading;
  /** Hashes of the points that could still grow; null after a full read. */
  growing: Map<string, string> | null;
}

/** Null if the transcript must be read from its beginning. */
async function readOn(input: PrepareInput): Promise<Read | null> {
  const progress = resumableProgress(input);
  if (progress === null) return null;
  const growing = growingHashes(input.file.sessionId, progress);
  const reading = await readEvents(input, progress);
  return reading === null ? null : { progress, reading, growing };
}

async function readAll(input: PrepareInput): Promise<Read> {
  const progress = await freshProgress(input);
  const reading = await readEvents(input, progress);
  if (reading === null) throw new Error('a full read judges every turn as a whole');
  return { progress, reading, growing: null };
}

/** The progress to continue from, if the file only grew and the store has the part already read; else null. */
function resumableProgress(input: PrepareInput): ReadingProgress | null {
  const { cursor, file, source, stored, settings } = input;
  if (cursor === null || stored === null) return null;
  const { progress } = cursor;
  const same =
    cursor.storeId === settings.storeId &&
    cursor.chunking === settings.chunking &&
    cursor.inode === file.inode &&
    cursor.contentHash === stored.content_hash &&
    file.size >= progress.offset;
  if (!same || !isSameIdentity(stored, identify(input, progress))) return null;
  const now = source.digest(file.path, progress.offset, progress.parts.slice(0, -1));
  return now.length === progress.parts.length && now.at(-1) === progress.parts.at(-1) ? progress : null;
}

async function freshProgress({ origin }: PrepareInput): Promise<ReadingProgress> {
  const { fingerprint, inheritance: parent } = await origin();
  return {
    offset: 0,
    lines: 0,
    parts: [],
    inheritedBytes: parent?.inheritedBytes ?? 0,
    fingerprint,
    turn: -1,
    ownTurn: BEFORE_FIRST_TURN,
    draft: { ...emptyDraft(), parentId: parent?.parentId ?? null },
    chunker: emptyChunkerState(),
    intents: emptyIntentState(),
    markers: [],
    skipped: {},
  };
}

interface Reading {
  chunks: Chunk[];
  intents: Intent[];
  skipped: SkippedLine[];
}

/** Reads on and advances `progress`. Null if an earlier part of the transcript is now seen differently. */
async function readEvents(input: PrepareInput, progress: ReadingProgress): Promise<Reading | null> {
  const events: TranscriptEvent[] = [];
  const { offset, lines, inheritedBytes } = progress;
  const options = { from: offset, linesBefore: lines, inheritedBytes };
  const result = input.source.read(input.file.path, options, (event) => events.push(event));
  const redacted = await redactEvents(events, input.redactor);
  const marked = markOwnTurns(redacted.events, progress.ownTurn);
  if (marked === null) return null;
  progress.ownTurn = marked.after;
  progress.offset = result.end;
  progress.lines += result.lines;
  for (const { reason } of result.skipped) progress.skipped[reason] = (progress.skipped[reason] ?? 0) + 1;
  return { ...foldEvents(marked.events, progress, input.settings.sizes), skipped: result.skipped };
}

function foldEvents(
  events: TranscriptEvent[],
  progress: ReadingProgress,
  sizes: ChunkSizes,
): Omit<Reading, 'skipped'> {
  const chunks: Chunk[] = [];
  const intents: Intent[] = [];
  const take = (message: ChunkMessage) => {
    for (const marker of findMarkers(message.text)) {
      if (!progress.markers.includes(marker)) progress.markers.push(marker);
    }
    chunks.push(...addToChunks(progress.chunker, message, sizes));
  };
  for (const event of events) {
    const own = addEvent(progress.draft, event);
    if (event.kind === 'compaction' && event.summary !== null && progress.turn < 0) {
      // A transcript that starts with a summary continues another one, of which the summary is all that is left.
      take({ role: 'assistant', text: event.summary, timestamp: event.timestamp, turn: 0 });
    }
    if (!own || event.kind !== 'message') continue;
    if (event.role === 'user') progress.turn += 1;
    if (event.own === true) continue;
    if (event.role === 'user') {
      intents.push(...addToIntents(progress.intents, event.text, event.timestamp));
    }
    take({
      role: event.role,
      text: event.text,
      timestamp: event.timestamp,
      turn: Math.max(0, progress.turn),
    });
  }
  return { chunks, intents };
}

type TextPoint = Point<IntentPayload | ChunkPayload>;

/** Finished points and, last of each kind, the one that can still grow. */
function textPoints(identity: SessionIdentity, reading: Reading, progress: ReadingProgress): TextPoint[] {
  const growing = openChunk(progress.chunker);
  const growingIntent = openIntent(progress.intents);
  const chunks = growing === null ? reading.chunks : [...reading.chunks, growing];
  const intents = growingIntent === null ? reading.intents : [...reading.intents, growingIntent];
  return [
    ...intents.map((intent) => intentPoint(identity, intent)),
    ...chunks.map((chunk) => chunkPoint(identity, chunk)),
  ];
}

/** The stored versions of points that can still grow. */
function growingHashes(sessionId: string, { chunker, intents }: ReadingProgress): Map<string, string> {
  const [chunk, intent] = [openChunk(chunker), openIntent(intents)];
  const hashes = new Map<string, string>();
  if (chunk !== null) hashes.set(pointId(sessionId, 'chunk', chunk.index), sha256(chunk.content));
  if (intent !== null) hashes.set(pointId(sessionId, 'intent', intent.index), sha256(intent.text));
  return hashes;
}

/**
 * After a full read: the points that differ from the stored ones, and the ids of points that no longer exist. Every point names
 * the session's repository, so a change of repository changes all points.
 */
async function compare(points: TextPoint[], identity: SessionIdentity, input: PrepareInput) {
  if (input.stored === null) return { upserts: points, deletes: [] };
  const known = await input.storedHashes();
  const isSame = isSameIdentity(input.stored, identity);
  const upserts = points.filter(({ id, payload }) => !isSame || known.get(id) !== payload.content_hash);
  const present = new Set(points.map(({ id }) => id));
  return { upserts, deletes: [...known.keys()].filter((id) => !present.has(id)) };
}

function identify({ file, settings, probe }: PrepareInput, { draft }: ReadingProgress): SessionIdentity {
  return identityOf(
    {
      sessionId: file.sessionId,
      agent: file.agent,
      machine: settings.machine,
      workingDirectory: draft.workingDirectory ?? '',
      remoteUrl: draft.remoteUrl,
    },
    draft.workingDirectory === null ? null : probe(draft.workingDirectory, draft.branch),
  );
}

function isSameIdentity(stored: SessionPayload, identity: SessionIdentity): boolean {
  return (
    stored.machine === identity.machine &&
    stored.repo_id === identity.repo_id &&
    stored.repo_key === identity.repo_key &&
    stored.repo_name === identity.repo_name
  );
}

function cursorOf({ file, settings }: PrepareInput, progress: ReadingProgress, contentHash: string): Cursor {
  return {
    path: file.path,
    sessionId: file.sessionId,
    storeId: settings.storeId,
    chunking: settings.chunking,
    size: file.size,
    mtimeMs: file.mtimeMs,
    inode: file.inode,
    name: file.name ?? null,
    contentHash,
    progress,
  };
}
