import { BEFORE_FIRST_TURN, markOwnTurns } from '../../domain/own/own-turns.ts';
import { addToChunks, emptyChunkerState, openChunk } from '../../domain/point/chunking.ts';
import type { Passage } from '../../domain/point/passages.ts';
import type { ChunkPayload, SessionPayload } from '../../domain/point/point.ts';
import { TOOL_LINE } from '../../domain/search/snippet.ts';
import { addEvent, emptyDraft, type SessionDraft } from '../../domain/session/draft.ts';
import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import type { LinePlace, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { redactEvents } from '../privacy/redact-events.ts';
import {
  addToTurn,
  addToTurns,
  insertPassages,
  type Message,
  readSubagents,
  type SubagentSummary,
} from './read-subagents.ts';

/** One turn of a conversation: the user's message, and everything the agent did until the next one. */
export interface Turn {
  index: number;
  timestamp: string | null;
  user: string;
  assistant: string;
  /** A line per tool call. */
  tools: string[];
  files: string[];
  /** The subagents that began in this turn; absent without any. */
  subagents?: SubagentSummary[];
}

/** Passages are small, so that the ones that match can be picked. */
const PASSAGE_SIZES = { min: 120, target: 300, max: 450, overlap: 0 };

/**
 * A transcript's conversation in passages, including what a fork copied from its parent. Redacted: it goes to an agent, and
 * from there to the provider of the agent's model. `parents` are transcripts outside the folders of the source.
 */
export async function readPassages(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
  { parents = [], untilTurn = Number.POSITIVE_INFINITY }: PassageOptions = {},
): Promise<Passage[]> {
  const state = emptyChunkerState();
  const passages: Passage[] = [];
  const keep = (chunk: { index: number; turn: number; timestamp: string | null; content: string }) =>
    passages.push({ index: chunk.index, turn: chunk.turn, timestamp: chunk.timestamp, text: chunk.content });
  tellMessages(await readEvents(source, path, redactor, parents), (message, turn) => {
    if (turn >= untilTurn) return;
    for (const chunk of addToChunks(state, { ...message, turn }, PASSAGE_SIZES)) keep(chunk);
  });
  const last = openChunk(state);
  if (last !== null) keep(last);
  // A subagent belongs to a turn only by its time.
  const subagents = untilTurn === Number.POSITIVE_INFINITY ? await readSubagents(source, path, redactor) : [];
  return insertPassages(
    passages,
    subagents.map(({ messages }) => passagesOf(messages)),
  );
}

interface PassageOptions {
  /** Transcripts outside the folders of the source. */
  parents?: TranscriptFile[];
  /** The last turn wanted, from 1. */
  untilTurn?: number;
}

function passagesOf(messages: Message[]): Passage[] {
  const state = emptyChunkerState();
  const chunks = messages.flatMap((message) => addToChunks(state, { ...message, turn: 0 }, PASSAGE_SIZES));
  const last = openChunk(state);
  return (last === null ? chunks : [...chunks, last]).map(({ index, turn, timestamp, content }) => ({
    ...{ index, turn, timestamp },
    text: content,
  }));
}

/** A transcript's turns, redacted. */
export async function readTurns(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
  parents: TranscriptFile[] = [],
): Promise<{ turns: Turn[]; draft: SessionDraft }> {
  const { turns, draft } = collectTurns(await readEvents(source, path, redactor, parents));
  addToTurns(turns, await readSubagents(source, path, redactor));
  return { turns, draft };
}

/** The turns of events. `onMessage` gets each message with the index of its turn. */
export function collectTurns(
  events: TranscriptEvent[],
  onMessage: (index: number, message: Message) => void = () => undefined,
): { turns: Turn[]; draft: SessionDraft } {
  const { turns, addMessage, addFile } = startTurns();
  const add = (message: Message, index: number) => {
    addMessage(message, index);
    onMessage(index, message);
  };
  return { turns, draft: tellMessages(events, add, addFile) };
}

/** Turns to which messages and files are added in order. */
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
    addMessage({ role, text, timestamp }: Message, index: number): void {
      const turn = at(index, timestamp);
      if (role === 'tool') turn.tools.push(text);
      else turn[role] = turn[role] === '' ? text : `${turn[role]}\n\n${text}`;
    },
    addFile(file: string, index: number): void {
      const turn = at(index, null);
      if (!turn.files.includes(file)) turn.files.push(file);
    },
  };
}

/** What a reader needs of the store when there is no transcript. */
export type ChunkReader = Pick<PointStore, 'getChunks'>;

/** A conversation from its stored chunks, in passages. */
export async function storedPassages(store: ChunkReader, session: SessionPayload): Promise<Passage[]> {
  const chunks = await store.getChunks(session.session_id);
  return insertPassages(
    chunks.filter(({ subagent }) => subagent === undefined).map(passageOf),
    bySubagent(chunks).map(([, own]) => own.map(passageOf)),
  );
}

/** The chunks of each subagent, in order. */
function bySubagent(chunks: ChunkPayload[]): [string, ChunkPayload[]][] {
  const groups = new Map<string, ChunkPayload[]>();
  for (const chunk of chunks) {
    if (chunk.subagent === undefined) continue;
    const group = groups.get(chunk.subagent) ?? [];
    groups.set(chunk.subagent, group);
    group.push(chunk);
  }
  return [...groups];
}

function passageOf(chunk: ChunkPayload): Passage {
  const { chunk_index, turn, timestamp, content, overlap } = chunk;
  return { index: chunk_index, turn, timestamp, text: content.slice(overlap) };
}

/** A conversation from its stored chunks, in turns. */
export async function storedTurns(store: ChunkReader, session: SessionPayload): Promise<Turn[]> {
  const chunks = await store.getChunks(session.session_id);
  const own = chunks.filter(({ subagent }) => subagent === undefined);
  const turns = turnsOfPassages(own.map(passageOf));
  const subagents = bySubagent(chunks).map(([agentId, parts]) => ({
    agentId,
    timestamp: parts[0]?.timestamp ?? null,
    turns: turnsOfPassages(parts.map(passageOf)),
  }));
  for (const { agentId, timestamp, turns: parts } of subagents)
    addToTurn(turns, timestamp, {
      agent_id: agentId,
      task: parts[0]?.user ?? '',
      answer: parts.findLast(({ assistant }) => assistant !== '')?.assistant ?? '',
      tools: parts.flatMap(({ tools }) => tools),
    });
  return turns;
}

type Speaker = 'user' | 'assistant';

/**
 * The turns of a conversation from its stored passages. A message begins with the name of its speaker. A passage may begin
 * inside a message, even inside a line, and hold several turns.
 */
function turnsOfPassages(passages: Passage[]): Turn[] {
  const turns: Turn[] = [];
  let speaker: Speaker = 'user';
  let isInLine = false;
  for (const { text, turn: first, timestamp } of passages) {
    let index = first;
    for (const [at, line] of text.split(/(?<=\n)/).entries()) {
      const [mark = '', name] = (isInLine ? null : /^(USER|ASSISTANT): /.exec(line)) ?? [];
      if (name === 'USER' && at > 0) index += 1;
      const turn = turnAt(turns, index, timestamp);
      if (!isInLine && TOOL_LINE.test(line.trimEnd())) turn.tools.push(line.trimEnd());
      else {
        if (name !== undefined) speaker = name === 'USER' ? 'user' : 'assistant';
        // `readTurns` joins messages in the same way.
        turn[speaker] += (mark !== '' && turn[speaker] !== '' ? '\n' : '') + line.slice(mark.length);
      }
      isInLine = !line.endsWith('\n');
    }
  }
  return turns.map((turn) => ({ ...turn, user: turn.user.trim(), assistant: turn.assistant.trim() }));
}

function turnAt(turns: Turn[], index: number, timestamp: string | null): Turn {
  const last = turns.at(-1);
  if (last !== undefined && last.index >= index) return last;
  const turn: Turn = { index, timestamp, user: '', assistant: '', tools: [], files: [] };
  turns.push(turn);
  return turn;
}

/** The user's prompts, one per turn, with those that a fork inherited. `parents` are transcripts outside the source's folders. */
export function userPrompts(
  source: TranscriptSource,
  transcript: TranscriptFile,
  parents: TranscriptFile[] = [],
): string[] {
  const prompts: string[] = [];
  tellMessages(eventsOf(source, transcript.path, parents), ({ role, text }, turn) => {
    if (role === 'user') prompts[turn] = text;
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

async function readEvents(
  source: TranscriptSource,
  path: string,
  redactor: Redactor,
  parents: TranscriptFile[],
): Promise<TranscriptEvent[]> {
  return (await redactEvents(eventsOf(source, path, parents), redactor)).events;
}

/** A transcript's events as a reader needs them, with those that a fork inherits, and where the line of each begins. */
export function eventsOf(
  source: TranscriptSource,
  path: string,
  parents: TranscriptFile[],
  onPlace?: (event: TranscriptEvent, place: LinePlace) => void,
): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  const take = (event: TranscriptEvent, place: LinePlace) => {
    // A fork's conversation includes its parent's, whether or not the fork holds a copy of it.
    const own = 'inherited' in event ? { ...event, inherited: false } : event;
    events.push(own);
    onPlace?.(own, place);
  };
  const file = source.readWhole === undefined ? null : source.inspect(path);
  if (file === null) source.read(path, WHOLE, (event, offset) => take(event, { path, offset }));
  else source.readWhole?.(file, [...source.find(), ...parents], take);
  return events;
}

function tellMessages(
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

/** Tells each message once, event by event, with its turn. */
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
    if (event.role === 'user') turn += 1;
    onMessage(event, Math.max(0, turn));
  };
}
