import { BEFORE_FIRST_TURN, markOwnTurns } from '../../domain/own/own-turns.ts';
import { addToChunks, emptyChunkerState, openChunk } from '../../domain/point/chunking.ts';
import type { Passage } from '../../domain/point/passages.ts';
import type { ChunkPayload } from '../../domain/point/point.ts';
import { addEvent, emptyDraft, type SessionDraft } from '../../domain/session/draft.ts';
import { isPrompt, type TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { LinePlace, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';
import { addStoredSubagents, storedGroups } from './conversation/stored-conversation.ts';
import type { Turn } from './conversation/turn.ts';
import { addToTurns, insertPassages, type Message, readSubagents } from './read-subagents.ts';

/** In estimated tokens. Passages are small, so that those that match can be picked. */
const PASSAGE_SIZES = { min: 120, target: 300, max: 450, overlap: 0 };

/**
 * A transcript's conversation in passages, including what a fork copied from its parent. Redacted, because an agent sends it to its
 * model's provider. `parents`: transcripts outside the source's folders.
 */
export async function readPassages(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
  { parents = [], untilTurn = Number.POSITIVE_INFINITY, stored }: PassageOptions = {},
): Promise<Passage[]> {
  const state = emptyChunkerState();
  const passages: Passage[] = [];
  const keep = (chunk: { index: number; turn: number; timestamp: string | null; content: string }) =>
    passages.push({ index: chunk.index, turn: chunk.turn, timestamp: chunk.timestamp, text: chunk.content });
  const events = await readEvents(source, path, redactor, parents);
  const rewound = new Set(tellMessages(events, () => undefined).rewound);
  tellMessages(events, (message, turn) => {
    if (turn >= untilTurn || rewound.has(turn)) return;
    for (const chunk of addToChunks(state, { ...message, turn }, PASSAGE_SIZES)) keep(chunk);
  });
  const last = openChunk(state);
  if (last !== null) keep(last);
  // Only a subagent's time shows to which turn it belongs.
  if (untilTurn !== Number.POSITIVE_INFINITY) return passages;
  const subagents = await readSubagents(source, path, redactor);
  const groups = subagents.map(({ messages }) => passagesOf(messages));
  return insertPassages(passages, groups.length > 0 ? groups : storedGroups(await stored?.()));
}

interface PassageOptions {
  /** Transcripts outside the source's folders. */
  parents?: TranscriptFile[];
  /** The last turn to read, from 1. */
  untilTurn?: number;
  /** The session's stored chunks, used if its subagents' transcripts are not next to its own: a server has only their passages. */
  stored?: StoredChunks;
}

export type StoredChunks = () => Promise<ChunkPayload[]>;

function passagesOf(messages: Message[]): Passage[] {
  const state = emptyChunkerState();
  const chunks = messages.flatMap((message) => addToChunks(state, { ...message, turn: 0 }, PASSAGE_SIZES));
  const last = openChunk(state);
  return (last === null ? chunks : [...chunks, last]).map(({ index, turn, timestamp, content }) => ({
    index,
    turn,
    timestamp,
    text: content,
  }));
}

/** A transcript's turns, redacted. */
export async function readTurns(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
  { parents = [], stored }: Omit<PassageOptions, 'untilTurn'> = {},
): Promise<{ turns: Turn[]; draft: SessionDraft }> {
  const { turns, draft } = collectTurns(await readEvents(source, path, redactor, parents));
  const subagents = await readSubagents(source, path, redactor);
  if (subagents.length > 0) addToTurns(turns, subagents);
  else addStoredSubagents(turns, (await stored?.()) ?? []);
  return { turns, draft };
}

/** Collects events into turns. `onMessage` receives each message with the index of its turn. */
export function collectTurns(
  events: TranscriptEvent[],
  onMessage: (index: number, message: Message) => void = () => undefined,
): { turns: Turn[]; draft: SessionDraft } {
  const { turns, addMessage, addFile } = startTurns();
  const add = (message: Message, index: number) => {
    addMessage(message, index);
    onMessage(index, message);
  };
  const draft = tellMessages(events, add, addFile);
  markRewound(turns, draft.rewound);
  return { turns, draft };
}

/** Marks the turns that the user took back. */
export function markRewound(turns: Turn[], rewound: number[] = []): void {
  for (const turn of turns) if (rewound.includes(turn.index)) turn.rewound = true;
}

/** Builds turns from messages and files added in order. */
export function startTurns() {
  const turns: Turn[] = [];
  const at = (index: number, timestamp: string | null): Turn => {
    let turn = turns.at(-1);
    if (turn?.index !== index) {
      turn = { index, timestamp, user: '', assistant: '', tools: [], files: [] };
      turns.push(turn);
    }
    return turn;
  };
  return {
    turns,
    addMessage({ role, text, timestamp, reply }: Message, index: number): void {
      const turn = at(index, timestamp);
      // A transcript that continues another one begins with answers, whose times are those of the copy.
      if (role === 'user' && reply === undefined && turn.user === '') {
        turn.timestamp = timestamp ?? turn.timestamp;
        if (turn.assistant !== '') Object.assign(turn, { before: turn.assistant, assistant: '' });
      }
      if (role === 'tool') turn.tools.push(text);
      else turn[role] = turn[role] === '' ? text : `${turn[role]}\n\n${text}`;
    },
    addFile(file: string, index: number): void {
      const turn = at(index, null);
      if (!turn.files.includes(file)) turn.files.push(file);
    },
  };
}

/** The user's prompts, one per turn, including inherited ones. `parents`: transcripts outside the source's folders. */
export function userPrompts(
  source: TranscriptSource,
  transcript: TranscriptFile,
  parents: TranscriptFile[] = [],
): string[] {
  const prompts: string[] = [];
  tellMessages(eventsOf(source, transcript.path, parents), ({ role, text, reply }, turn) => {
    if (role === 'user' && reply === undefined) prompts[turn] = text;
    prompts[turn] ??= '';
  });
  return prompts;
}

/** Byte offsets at which a transcript's turns begin, in order; turn 0 begins at the start of the file. */
export function turnOffsets(source: TranscriptSource, path: string): number[] {
  const events = new Map<TranscriptEvent, number>();
  source.read(path, WHOLE, (event, offset) => events.set(event, offset));
  const starts: number[] = [];
  tellMessages([...events.keys()], (message, turn) => {
    if (turn === starts.length) starts.push(turn === 0 ? 0 : (events.get(message) ?? 0));
  });
  return starts;
}

const WHOLE = { from: 0, linesBefore: 0, inheritedBytes: 0 };

export async function readEvents(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
  parents: TranscriptFile[],
): Promise<TranscriptEvent[]> {
  return (await redactEvents(eventsOf(source, path, parents), redactor)).events;
}

/** A transcript's events for a reader, including those that a fork inherits, and the position of each event's line. */
export function eventsOf(
  source: TranscriptSource,
  path: string,
  parents: TranscriptFile[],
  onPlace?: (event: TranscriptEvent, place: LinePlace) => void,
): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  const take = (event: TranscriptEvent, place: LinePlace) => {
    // A fork's conversation includes its parent's, whether or not the fork contains a copy of it.
    const own = 'inherited' in event ? { ...event, inherited: false } : event;
    events.push(own);
    onPlace?.(own, place);
  };
  const file = source.readInherited === undefined ? null : source.inspect(path);
  if (file !== null) source.readInherited?.(file, [...source.find(), ...parents], take);
  source.read(path, WHOLE, (event, offset) => take(event, { path, offset }));
  return events;
}

export function tellMessages(
  events: TranscriptEvent[],
  onMessage: (message: Message, turn: number) => void,
  onFile?: (file: string, turn: number) => void,
): SessionDraft {
  const draft = emptyDraft();
  const marked = markOwnTurns(events, BEFORE_FIRST_TURN)?.events ?? [];
  const tell = createTeller(draft, onMessage, onFile);
  for (const [at, event] of events.entries()) tell(marked[at] ?? event);
  return draft;
}

/** Passes on each message once, event by event, with its turn. */
export function createTeller(
  draft: SessionDraft,
  onMessage: (message: Message, turn: number) => void,
  onFile?: (file: string, turn: number) => void,
): (event: TranscriptEvent) => void {
  let turn = -1;
  return (event) => {
    const counts = addEvent(draft, event);
    if (event.kind === 'file') onFile?.(event.path, Math.max(0, turn));
    if (!counts || event.kind !== 'message') return;
    if (isPrompt(event)) turn += 1;
    onMessage(event, Math.max(0, turn));
  };
}
