import { MARK } from '../../../domain/point/chunking.ts';
import type { Passage } from '../../../domain/point/passages.ts';
import type { ChunkPayload, SessionPayload } from '../../../domain/point/point.ts';
import { TOOL_LINE } from '../../../domain/search/snippet.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { addToTurn, insertPassages } from '../read-subagents.ts';
import type { Turn } from './turn.ts';

/** What a reader needs from the store if there is no transcript. */
export type ChunkReader = Pick<PointStore, 'getChunks'>;

/** Rebuilds a conversation's passages from its stored chunks. */
export async function storedPassages(store: ChunkReader, session: SessionPayload): Promise<Passage[]> {
  const chunks = await store.getChunks(session.session_id);
  return insertPassages(
    withoutRewound(chunks.filter(({ subagent }) => subagent === undefined).map(passageOf), session),
    storedGroups(chunks),
  );
}

/** A passage may contain several turns; those that the user took back are cut out. */
function withoutRewound(passages: Passage[], { rewound_turns: rewound = [] }: SessionPayload): Passage[] {
  if (rewound.length === 0) return passages;
  return passages.flatMap((passage) => {
    const parts = passage.text.split(/(?<=\n)(?=USER: )/);
    const kept = parts.map((text, at) => ({ text, turn: passage.turn + at }));
    const live = kept.filter(({ turn }) => !rewound.includes(turn));
    const text = live.map((part) => part.text).join('');
    return text === '' ? [] : [{ ...passage, turn: live[0]?.turn ?? passage.turn, text }];
  });
}

export function storedGroups(chunks: ChunkPayload[] = []): Passage[][] {
  return bySubagent(chunks).map(([, own]) => own.map(passageOf));
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

/** Rebuilds a conversation's turns from its stored chunks. */
export async function storedTurns(store: ChunkReader, session: SessionPayload): Promise<Turn[]> {
  const chunks = await store.getChunks(session.session_id);
  const own = chunks.filter(({ subagent }) => subagent === undefined);
  const turns = turnsOfPassages(own.map(passageOf));
  addStoredSubagents(turns, chunks);
  for (const turn of turns) if (session.rewound_turns?.includes(turn.index)) turn.rewound = true;
  return turns;
}

export function addStoredSubagents(turns: Turn[], chunks: ChunkPayload[]): void {
  for (const [agentId, parts] of bySubagent(chunks)) {
    const own = turnsOfPassages(parts.map(passageOf));
    addToTurn(turns, parts[0]?.timestamp ?? null, {
      agent_id: agentId,
      task: own[0]?.user ?? '',
      answer: own.findLast(({ assistant }) => assistant !== '')?.assistant ?? '',
      tools: own.flatMap(({ tools }) => tools),
    });
  }
}

type Speaker = 'user' | 'assistant';

/**
 * Rebuilds turns from passages. A message begins with its speaker. A passage may begin inside a message, even inside a line, and contain
 * several turns.
 */
function turnsOfPassages(passages: Passage[]): Turn[] {
  const turns: Turn[] = [];
  let speaker: Speaker = 'user';
  let isInLine = false;
  for (const { text, turn: first, timestamp } of passages) {
    let index = first;
    for (const [at, line] of text.split(/(?<=\n)/).entries()) {
      const [mark = '', name] = (isInLine ? null : MARK.exec(line)) ?? [];
      // Only in a first turn may the agent's messages precede the user's.
      const isLate = name === 'USER' && turns.length === 1 && turns[0]?.index === 0 && turns[0].user === '';
      if (name === 'USER' && at > 0 && !isLate) index += 1;
      const turn = turnAt(turns, index, timestamp);
      if (isLate && turn.assistant !== '') Object.assign(turn, { before: turn.assistant, assistant: '' });
      if (!isInLine && TOOL_LINE.test(line.trimEnd())) turn.tools.push(line.trimEnd());
      else {
        if (name !== undefined) speaker = name === 'ASSISTANT' ? 'assistant' : 'user';
        // Joins messages as `readTurns` does.
        turn[speaker] += (mark !== '' && turn[speaker] !== '' ? '\n' : '') + line.slice(mark.length);
      }
      isInLine = !line.endsWith('\n');
    }
  }
  return turns.map((turn) => ({
    ...turn,
    ...(turn.before === undefined ? {} : { before: turn.before.trim() }),
    user: turn.user.trim(),
    assistant: turn.assistant.trim(),
  }));
}

function turnAt(turns: Turn[], index: number, timestamp: string | null): Turn {
  const last = turns.at(-1);
  if (last !== undefined && last.index >= index) return last;
  const turn: Turn = { index, timestamp, user: '', assistant: '', tools: [], files: [] };
  turns.push(turn);
  return turn;
}
