import { addToChunks, type Chunk, emptyChunkerState, openChunk } from '../../domain/point/chunking.ts';
import { pointId } from '../../domain/point/point-id.ts';
import { addEvent, emptyDraft } from '../../domain/session/draft.ts';
import { findMarkers } from '../../domain/session/session.ts';
import { isPrompt, type TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { ReadingProgress, SubagentProgress } from '../../ports/index-state.ts';
import type { SubagentFile, TranscriptFile } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';
import type { StepInput } from './read-step.ts';

/** First chunk index of the first subagent, far beyond the session's own. Each subagent has a range of this size. */
const INDEXES = 1_000_000;

/**
 * Reads the conversations of changed subagents, each from its beginning, because they are small. Their chunks are indexed, but not
 * their prompts, which the agent wrote. Subagents pushed out of the size limit by newer ones are removed; those whose transcript is
 * gone stay. Advances `progress`.
 */
export async function readSubagents(
  input: StepInput,
  progress: ReadingProgress,
): Promise<{ chunks: Chunk[]; deletes: string[] }> {
  const chunks: Chunk[] = [];
  const deletes = removeLeftOut(input.file, progress);
  for (const file of (input.file.subagents ?? []).toReversed()) {
    const known = progress.subagents?.[file.agentId];
    if (known?.size === file.size && known.mtimeMs === file.mtimeMs) continue;
    const first = known?.first ?? firstFree(progress);
    const own = await readChunks(input, file, progress);
    for (const chunk of own) chunks.push({ ...chunk, index: first + chunk.index, subagent: file.agentId });
    if (known !== undefined) deletes.push(...chunkIds(input.file, known, own.length));
    const now: SubagentProgress = { size: file.size, mtimeMs: file.mtimeMs, first, chunks: own.length };
    progress.subagents = { ...progress.subagents, [file.agentId]: now };
  }
  return { chunks, deletes };
}

function removeLeftOut(file: TranscriptFile, progress: ReadingProgress): string[] {
  const leftOut = new Set(file.subagentsLeftOut);
  const known = Object.entries(progress.subagents ?? {});
  const gone = known.filter(([agentId]) => leftOut.has(agentId));
  if (gone.length > 0)
    progress.subagents = Object.fromEntries(known.filter(([agentId]) => !leftOut.has(agentId)));
  return gone.flatMap(([, subagent]) => chunkIds(file, subagent, 0));
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
async function readChunks(input: StepInput, file: SubagentFile, progress: ReadingProgress): Promise<Chunk[]> {
  const events: TranscriptEvent[] = [];
  const options = { from: 0, linesBefore: 0, inheritedBytes: 0, ofSubagent: true };
  input.source.read(file.path, options, (event) => events.push(event));
  const chunks: Chunk[] = [];
  const state = emptyChunkerState();
  const draft = emptyDraft();
  let turn = -1;
  for (const event of (await redactEvents(events, input.redactor)).events) {
    if (event.kind === 'file' || event.kind === 'commit') addEvent(progress.draft, event);
    if (!addEvent(draft, event) || event.kind !== 'message') continue;
    if (isPrompt(event)) turn += 1;
    for (const marker of findMarkers(event.text))
      if (!progress.markers.includes(marker)) progress.markers.push(marker);
    const { role, text, timestamp, reply } = event;
    const message = { role, text, timestamp, reply, turn: Math.max(0, turn) };
    chunks.push(...addToChunks(state, message, input.settings.sizes));
  }
  const last = openChunk(state);
  return last === null ? chunks : [...chunks, last];
}
