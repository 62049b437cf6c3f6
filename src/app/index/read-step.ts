import { addToMemory } from '../../domain/memory/extract/add-to-memory.ts';
import { takeChanges } from '../../domain/memory/extract/take-changes.ts';
import type { ChunkSizes } from '../../domain/model/model-record.ts';
import { markOwnTurns } from '../../domain/own/own-turns.ts';
import { addToChunks, type Chunk, type ChunkMessage } from '../../domain/point/chunking.ts';
import { addToIntents, type Intent } from '../../domain/point/intents.ts';
import { addEvent, givenName, type SessionDraft } from '../../domain/session/draft.ts';
import { deliveredBy } from '../../domain/session/draft-commits.ts';
import type { Idea, Span } from '../../domain/session/ideas.ts';
import { findMarkers } from '../../domain/session/session.ts';
import { isPrompt, type TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { ReadingProgress } from '../../ports/index-state.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { TimeLimit } from '../../ports/time-limit.ts';
import type { SkippedLine, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';

/** Text per step, in UTF-16 units. Memory holds several times that, as texts, chunks and tokens. */
const STEP_LENGTH = 1_000_000;

export interface StepInput {
  file: TranscriptFile;
  source: Pick<TranscriptSource, 'read'>;
  redactor: Redactor;
  limit: TimeLimit;
  settings: { sizes: ChunkSizes };
}

/** The result of one step of reading a transcript. */
export interface StepReading {
  chunks: Chunk[];
  intents: Intent[];
  /** New or changed ideas. */
  ideas: Idea[];
  spans: Span[];
  skipped: SkippedLine[];
  goesOn: boolean;
}

/** Reads the next step, up to a limit of text, and advances `progress`. Null if an earlier part of the transcript is now judged differently. */
export async function readStep(
  input: StepInput,
  progress: ReadingProgress,
  isLimited: boolean,
): Promise<StepReading | null> {
  const events: PlacedEvent[] = [];
  const { offset, lines, inheritedBytes } = progress;
  let length = 0;
  let goesOn = false;
  const isEnough = () => {
    goesOn = isLimited && length >= STEP_LENGTH;
    return goesOn;
  };
  const options = { from: offset, linesBefore: lines, inheritedBytes, isEnough };
  const result = input.source.read(input.file.path, options, (event, _, line) => {
    length += lengthOf(event);
    events.push({ ...withoutInherited(event), line });
  });
  const redacted = await redactEvents(events, input.redactor);
  return input.limit.run(() => {
    const marked = markOwnTurns(redacted.events, progress.ownTurn);
    if (marked === null) return null;
    const rewound = takenBack(marked.events, progress.draft);
    if (rewound === null) return null;
    progress.ownTurn = marked.after;
    progress.offset = result.end;
    progress.bytes = result.bytes;
    progress.lines += result.lines;
    for (const { reason } of result.skipped) progress.skipped[reason] = (progress.skipped[reason] ?? 0) + 1;
    const folded = foldEvents(marked.events, progress, rewound, input.settings.sizes);
    return { ...folded, skipped: result.skipped, goesOn };
  });
}

/** The bytes read so far. */
export function bytesBefore({ offset, bytes }: ReadingProgress): number {
  return bytes ?? offset;
}

type PlacedEvent = TranscriptEvent & { line: number };

/** Counts only the session's own text: a step without any could not be continued from. */
function lengthOf(event: TranscriptEvent): number {
  if (event.kind === 'compaction') return event.summary?.length ?? 0;
  return event.kind === 'message' && !event.inherited ? event.text.length : 0;
}

/**
 * Only the beginning of an inherited answer is needed, for a title. Prompts stay complete: a queued prompt is recognized by its text
 * when it is repeated.
 */
function withoutInherited(event: TranscriptEvent): TranscriptEvent {
  const isAnswer = event.kind === 'message' && event.inherited && event.role !== 'user';
  return isAnswer && event.text.length > INHERITED_LENGTH
    ? { ...event, text: event.text.slice(0, INHERITED_LENGTH).toWellFormed() }
    : event;
}

const INHERITED_LENGTH = 2000;

/**
 * The turns that the user takes back by the end of the events: they decide nothing, and leave nothing open. Null if a turn is among them
 * that was read before, or if one no longer is.
 */
function takenBack(events: PlacedEvent[], draft: SessionDraft): number[] | null {
  const { rewound = [] } = draft;
  if (!events.some(({ kind }) => kind === 'rewound')) return rewound;
  const ahead = structuredClone(draft);
  for (const event of events) addEvent(ahead, event);
  const now = ahead.rewound ?? [];
  const isRead = (turn: number) => turn < turnsIn(draft);
  return now.filter(isRead).join() === rewound.filter(isRead).join() ? now : null;
}

/** What was committed stays, also in a turn that was taken back. */
const STANDS = new Set<TranscriptEvent['kind']>(['commit', 'pull request', 'context']);

function turnsIn({ promptIds = [] }: SessionDraft): number {
  return promptIds.length;
}

function foldEvents(
  events: PlacedEvent[],
  progress: ReadingProgress,
  rewound: number[],
  sizes: ChunkSizes,
): Pick<StepReading, 'chunks' | 'intents' | 'ideas' | 'spans'> {
  const chunks: Chunk[] = [];
  const intents: Intent[] = [];
  const { memory } = progress;
  const take = (message: ChunkMessage) => {
    for (const marker of findMarkers(message.text)) {
      if (!progress.markers.includes(marker)) progress.markers.push(marker);
    }
    chunks.push(...addToChunks(progress.chunker, message, sizes));
  };
  const takeName = () => {
    const name = newName(progress);
    if (name === null) return;
    progress.named = name;
    intents.push(...addToIntents(progress.intents, name, null));
    take({
      role: 'user',
      reply: 'answer',
      text: `(session named: ${name})`,
      timestamp: null,
      turn: Math.max(0, progress.turn),
    });
  };
  for (const event of events) {
    const inheritedBefore = progress.draft.inheritedTurns;
    const own = addEvent(progress.draft, event);
    // A fork's turns are numbered as they are shown, after its parent's.
    progress.turn += progress.draft.inheritedTurns - inheritedBefore;
    if (event.kind === 'compaction' && event.summary !== null && progress.turn < 0) {
      // A transcript that begins with a summary continues another one, of which only the summary is left.
      take({ role: 'assistant', text: event.summary, timestamp: event.timestamp, turn: 0 });
    }
    const isMessage = own && event.kind === 'message';
    if (own && isPrompt(event)) progress.turn += 1;
    if (!rewound.includes(turnsIn(progress.draft) - 1) || STANDS.has(event.kind))
      addToMemory(memory, event, { turn: Math.max(0, progress.turn), line: event.line });
    if (event.kind === 'title') takeName();
    if (!isMessage) continue;
    if (event.own === true) continue;
    if (event.role === 'user') {
      intents.push(...addToIntents(progress.intents, event.text, event.timestamp));
    }
    take({
      role: event.role,
      text: event.text,
      reply: event.reply,
      timestamp: event.timestamp,
      turn: Math.max(0, progress.turn),
    });
    takeName();
  }
  return { chunks, intents, ...takeChanges(memory, deliveredBy(progress.draft)) };
}

/** The name that the user gave the session, which is found like a prompt; null if it is known, and before the first message. */
function newName({ draft, named }: ReadingProgress): string | null {
  const name = givenName(draft);
  const isEmpty = draft.userMessages + draft.assistantMessages === 0;
  return isEmpty || name === named ? null : name;
}
