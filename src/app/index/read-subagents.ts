import { addToChunks, type Chunk, emptyChunkerState, openChunk } from '../../domain/point/chunking.ts';
import { pointId } from '../../domain/point/point-id.ts';
import { addEvent, addOfSubagent, emptyDraft } from '../../domain/session/draft.ts';
import { findMarkers } from '../../domain/session/session.ts';
import { isPrompt, type TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { ReadingProgress, SubagentProgress } from '../../ports/index-state.ts';
import type { SkippedLine, SubagentFile, TranscriptFile } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';
import type { StepInput } from './read-step.ts';

/** First chunk index of the first subagent, far beyond the session's own. Each subagent has a range of this size. */
const INDEXES = 1_000_000;

/** Text read per step, in UTF-16 units, so that the memory holds only a part of hundreds of subagents. */
const STEP_LENGTH = 1_000_000;

/**
 * Reads the conversations of changed subagents, each from its beginning, because most are small. Their chunks are indexed, but not as
 * the user's prompts, because the agent wrote those. Subagents whose transcript is gone stay. Advances `progress`. A limited read stops
 * after some text; `goesOn`: more subagents follow.
 */
export async function readSubagents(
  input: StepInput,
  progress: ReadingProgress,
  isLimited: boolean,
): Promise<SubagentReading> {
  const chunks: Chunk[] = [];
  const deletes: string[] = [];
  const changed = (input.file.subagents ?? []).toReversed().filter((file) => {
    const known = progress.subagents?.[file.agentId];
    return known?.size !== file.size || known.mtimeMs !== file.mtimeMs;
  });
  let length = 0;
  for (const [at, file] of changed.entries()) {
    const known = progress.subagents?.[file.agentId];
    const first = known?.first ?? firstFree(progress);
    const { own, skipped } = await readChunks(input, file, progress);
    for (const chunk of own) chunks.push({ ...chunk, index: first + chunk.index, subagent: file.agentId });
    if (known !== undefined) deletes.push(...chunkIds(input.file, known, own.length));
    const now: SubagentProgress = {
      size: file.size,
      mtimeMs: file.mtimeMs,
      first,
      chunks: own.length,
      skipped,
    };
    progress.subagents = { ...progress.subagents, [file.agentId]: now };
    length += own.reduce((sum, { content }) => sum + content.length, 0);
    if (isLimited && length >= STEP_LENGTH && at + 1 < changed.length)
      return { chunks, deletes, goesOn: true };
  }
  return { chunks, deletes, goesOn: false };
}

interface SubagentReading {
  chunks: Chunk[];
  /** Ids of chunks that no longer exist. */
  deletes: string[];
  goesOn: boolean;
}

function chunkIds(
  { sessionId }: TranscriptFile,
  { first, chunks }: SubagentProgress,
  from: number,
): string[] {
  const ids: string[] = [];
  for (let index = from; index < chunks; index += 1) ids.push(pointId(sessionId, 'chunk', first + index));
  return ids;
}

function firstFree({ subagents = {} }: ReadingProgress): number {
  return INDEXES + Math.max(0, ...Object.values(subagents).map(({ first }) => first));
}

/** A subagent's edits and commits count as the session's. */
async function readChunks(
  input: StepInput,
  file: SubagentFile,
  progress: ReadingProgress,
): Promise<{ own: Chunk[]; skipped?: Record<string, number> }> {
  const events: TranscriptEvent[] = [];
  const options = { from: 0, linesBefore: 0, inheritedBytes: 0, ofSubagent: true };
  const result = input.source.read(file.path, options, (event) => events.push(event));
  const chunks: Chunk[] = [];
  const state = emptyChunkerState();
  const draft = emptyDraft();
  let turn = -1;
  for (const event of (await redactEvents(events, input.redactor)).events) {
    if (event.kind === 'file' || event.kind === 'commit') addOfSubagent(progress.draft, event);
    if (!addEvent(draft, event) || event.kind !== 'message') continue;
    if (isPrompt(event)) turn += 1;
    for (const marker of findMarkers(event.text))
      if (!progress.markers.includes(marker)) progress.markers.push(marker);
    const { role, text, timestamp, reply } = event;
    const message = { role, text, timestamp, reply, turn: Math.max(0, turn) };
    chunks.push(...addToChunks(state, message, input.settings.sizes));
  }
  const last = openChunk(state);
  return { own: last === null ? chunks : [...chunks, last], skipped: countReasons(result.skipped) };
}

function countReasons(lines: SkippedLine[]): Record<string, number> | undefined {
  if (lines.length === 0) return undefined;
  const counts: Record<string, number> = {};
  for (const { reason } of lines) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
