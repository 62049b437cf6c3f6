import { markOf } from '../../domain/agent/change-mark.ts';
import { emptyMemoryState } from '../../domain/memory/extract/memory-state.ts';
import { memoryCounts } from '../../domain/memory/extract/take-changes.ts';
import type { ChunkSizes } from '../../domain/model/model-record.ts';
import { BEFORE_FIRST_TURN } from '../../domain/own/own-turns.ts';
import { emptyChunkerState, openChunk } from '../../domain/point/chunking.ts';
import { emptyIntentState, openIntent } from '../../domain/point/intents.ts';
import type { PassagePayload, Point, SessionPayload, TextPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import {
  chunkPoint,
  ideaPoint,
  identityOf,
  intentPoint,
  type SessionIdentity,
  sessionPoint,
  spanPoint,
} from '../../domain/point/session-points.ts';
import { emptyDraft } from '../../domain/session/draft.ts';
import type { Idea } from '../../domain/session/ideas.ts';
import { MARKERS } from '../../domain/session/session.ts';
import { sha256 } from '../../domain/text/hash.ts';
import type { Cursor, ReadingProgress } from '../../ports/index-state.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';
import type { UntokenizedChange } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { TimeLimit } from '../../ports/time-limit.ts';
import type { SkippedLine, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { redactIdeas } from '../privacy/redact-ideas.ts';
import type { Origin } from './find-parent.ts';
import { nameMarkOf } from './name-mark.ts';
import { bytesBefore, readStep, type StepReading } from './read-step.ts';
import { readSubagents } from './read-subagents.ts';

interface PrepareSettings {
  machine: string;
  sizes: ChunkSizes;
  /** Names the chunk sizes and the version of the readers; see Cursor. */
  chunking: string;
  storeId: string;
}

export interface PrepareInput {
  file: TranscriptFile;
  source: Pick<TranscriptSource, 'read' | 'digest'>;
  probe: RepositoryProbe;
  /** Redacts every text before any other step. */
  redactor: Redactor;
  /** The session's time. `source`, `probe` and `redactor` keep to it too. */
  limit: TimeLimit;
  settings: PrepareSettings;
  /** The stored session, and its cursor, which is validated here. */
  stored: SessionPayload | null;
  cursor: Cursor | null;
  /** The preceding steps have been written: if the cursor cannot be used, this step reads everything. */
  continues?: boolean;
  /** Id to content_hash of the stored points; called only when a stored session is read from its beginning. */
  storedHashes: () => Promise<Map<string, string>>;
  /** Ideas found by a model earlier; called only when the transcript is read from its beginning. */
  modelIdeas: () => Idea[];
  /** The session's origin; called only when the transcript is read from its beginning. */
  origin: () => Promise<Origin>;
}

export interface PreparedSession {
  change: UntokenizedChange;
  cursor: Cursor;
  skipped: SkippedLine[];
  /** Number of points to write. */
  points: number;
  /** The transcript is longer than one step, so more follows. */
  goesOn: boolean;
}

/**
 * Computes the changes to the store for a transcript, up to a limit of text. Reads from the cursor if the file only grew, else from
 * the beginning. Writes nothing.
 */
export async function prepareSession(input: PrepareInput): Promise<PreparedSession> {
  const { file, source, stored } = input;
  const read = await readOn(input);
  const isWhole = read === 'whole' || input.continues === true;
  const { progress, reading, growing } = typeof read === 'object' ? read : await readAgain(input, isWhole);
  const identity = identify(input, progress);
  progress.parts = source.digest(file.path, progress.offset, progress.parts.slice(0, -1));
  const subagents = reading.goesOn ? NONE_YET : await readSubagents(input, progress, !isWhole);
  const { goesOn } = subagents;
  const passages = [
    ...passagePoints(identity, reading, progress),
    ...subagents.chunks.map((chunk) => chunkPoint(identity, chunk)),
  ];
  const noted = growing === null ? await redactIdeas(input.redactor, input.modelIdeas()) : [];
  const memories = [
    ...[...reading.ideas, ...noted].map((idea) => ideaPoint(identity, idea)),
    ...reading.spans.map((span) => spanPoint(identity, span)),
  ];
  const points = [...passages, ...memories];
  const session = sessionPoint(identity, {
    draft: progress.draft,
    markers: MARKERS.filter((marker) => progress.markers.includes(marker)),
    tags: stored?.tags ?? [],
    path: file.path,
    bytes: bytesBefore(progress),
    lines: progress.lines,
    ...countsOf(progress),
    parts: progress.parts,
    subagents: progress.subagents === undefined ? undefined : Object.keys(progress.subagents),
  });
  const upserts = growing
    ? points.filter(({ id, payload }) => growing.get(id) !== payload.content_hash)
    : await changed(points, identity, input);
  if (growing === null && stored !== null) progress.replaces = true;
  const deletes = [...subagents.deletes, ...(goesOn ? [] : await finishReplacing(input, progress))];
  return {
    change: {
      session,
      upserts,
      deletes,
      expected: stored?.content_hash ?? null,
      points: growing === null ? passages : null,
    },
    cursor: cursorOf(input, progress, session.payload.content_hash, goesOn),
    skipped: reading.skipped,
    points: upserts.length + 1,
    goesOn,
  };
}

const NONE_YET = { chunks: [], deletes: [], goesOn: true };

interface Read {
  progress: ReadingProgress;
  reading: StepReading;
  /** Hashes of the points that could still grow; null after a read from the beginning. */
  growing: Map<string, string> | null;
}

/** `again`: the transcript must be read from its beginning; `whole`: in a single step, because its parts depend on each other. */
async function readOn(input: PrepareInput): Promise<Read | 'again' | 'whole'> {
  const progress = resumableProgress(input);
  if (progress === null) return 'again';
  const growing = growingHashes(input.file.sessionId, progress);
  const reading = await readStep(input, progress, true);
  // Every point contains the repository, including points from earlier reads.
  const hasMoved = input.stored !== null && !isSameIdentity(input.stored, identify(input, progress));
  return reading === null || hasMoved ? 'whole' : { progress, reading, growing };
}

async function readAgain(input: PrepareInput, isWhole: boolean): Promise<Read> {
  const progress = await freshProgress(input);
  const reading = await readStep(input, progress, !isWhole);
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
    // The size of a session in a database is not in bytes.
    (file.inode === 0 || file.size >= bytesBefore(progress));
  if (!same || !isSameIdentity(stored, identify(input, progress))) return null;
  const now = source.digest(file.path, progress.offset, progress.parts.slice(0, -1));
  return now.length === progress.parts.length && now.at(-1) === progress.parts.at(-1) ? progress : null;
}

async function freshProgress({ origin }: PrepareInput): Promise<ReadingProgress> {
  return progressFrom(await origin());
}

/** The progress before anything has been read. */
export function progressFrom({ fingerprint, inheritance: parent, turnsBefore }: Origin): ReadingProgress {
  return {
    offset: 0,
    lines: 0,
    parts: [],
    inheritedBytes: parent?.inheritedBytes ?? 0,
    fingerprint,
    turn: turnsBefore - 1,
    ownTurn: BEFORE_FIRST_TURN,
    draft: { ...emptyDraft(), parentId: parent?.parentId ?? null },
    chunker: emptyChunkerState(),
    intents: emptyIntentState(),
    markers: [],
    memory: emptyMemoryState(),
    skipped: {},
  };
}

type PassagePoint = Point<PassagePayload>;
type TextPoint = Point<TextPayload>;

/** Finished points and, as the last of each kind, the one that can still grow. */
function passagePoints(
  identity: SessionIdentity,
  reading: StepReading,
  progress: ReadingProgress,
): PassagePoint[] {
  const growing = openChunk(progress.chunker);
  const growingIntent = openIntent(progress.intents);
  const chunks = growing === null ? reading.chunks : [...reading.chunks, growing];
  const intents = growingIntent === null ? reading.intents : [...reading.intents, growingIntent];
  return [
    ...intents.map((intent) => intentPoint(identity, intent)),
    ...chunks.map((chunk) => chunkPoint(identity, chunk)),
  ];
}

/** Counts for the session's own conversation, without subagents. */
function countsOf({ chunker, intents }: ReadingProgress): { chunks: number; intents: number } {
  return {
    chunks: chunker.index + (openChunk(chunker) === null ? 0 : 1),
    intents: intents.index + (openIntent(intents) === null ? 0 : 1),
  };
}

/** Hashes of the stored points that can still grow. */
function growingHashes(sessionId: string, { chunker, intents }: ReadingProgress): Map<string, string> {
  const [chunk, intent] = [openChunk(chunker), openIntent(intents)];
  const hashes = new Map<string, string>();
  if (chunk !== null) hashes.set(pointId(sessionId, 'chunk', chunk.index), sha256(chunk.content));
  if (intent !== null) hashes.set(pointId(sessionId, 'intent', intent.index), sha256(intent.text));
  return hashes;
}

/**
 * After a read from the beginning: the points that differ from the stored ones. Every point contains the session's repository, so a
 * change of repository changes all points.
 */
async function changed(
  points: TextPoint[],
  identity: SessionIdentity,
  input: PrepareInput,
): Promise<TextPoint[]> {
  if (input.stored === null) return points;
  const known = await input.storedHashes();
  const isSame = isSameIdentity(input.stored, identity);
  return points.filter(({ id, payload }) => !isSame || known.get(id) !== payload.content_hash);
}

/** After the last step of a read from the beginning: the ids of points that no longer exist. */
async function finishReplacing(input: PrepareInput, progress: ReadingProgress): Promise<string[]> {
  if (progress.replaces !== true) return [];
  delete progress.replaces;
  const { chunks, intents } = countsOf(progress);
  const { sessionId } = input.file;
  const present = new Set<string>();
  const add = (type: TextPayload['type'], first: number, count: number) => {
    for (let index = first; index < first + count; index += 1) present.add(pointId(sessionId, type, index));
  };
  add('chunk', 0, chunks);
  add('intent', 0, intents);
  const { ideas, spans } = memoryCounts(progress.memory);
  add('idea', 0, ideas);
  for (const { index } of input.modelIdeas()) present.add(pointId(sessionId, 'idea', index));
  add('span', 0, spans);
  for (const subagent of Object.values(progress.subagents ?? {}))
    add('chunk', subagent.first, subagent.chunks);
  return [...(await input.storedHashes()).keys()].filter((id) => !present.has(id));
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

/** No transcript has this size. */
const UNFINISHED = -1;

function cursorOf(
  { file, settings }: PrepareInput,
  progress: ReadingProgress,
  contentHash: string,
  goesOn: boolean,
): Cursor {
  return {
    path: file.path,
    sessionId: file.sessionId,
    storeId: settings.storeId,
    chunking: settings.chunking,
    // The file counts as changed until the last step is written.
    ...markOf(file),
    size: goesOn ? UNFINISHED : file.size,
    name: nameMarkOf(file),
    contentHash,
    progress,
  };
}
