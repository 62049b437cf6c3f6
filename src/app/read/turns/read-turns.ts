import { emptyDraft } from '../../../domain/session/draft.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import { withoutPrivate } from '../../../domain/text/redaction.ts';
import type { Redactor } from '../../../ports/redactor.ts';
import type { TranscriptFile, TranscriptSource } from '../../../ports/transcript-source.ts';
import { redactEvents } from '../../privacy/redact-events.ts';
import type { Turn } from '../../sessions/conversation/turn.ts';
import { createTeller, eventsOf, readTurns, startTurns } from '../../sessions/read-conversation.ts';

/** The transcript of a conversation. */
export interface Conversation {
  source: TranscriptSource;
  path: string;
  redactor: Redactor;
  /** Transcripts outside the folders of the source. */
  parents?: TranscriptFile[];
}

/** Text of the first step, in UTF-16 units, and of the others. */
const FIRST_STEP = 20_000;
const STEP = 200_000;

/** The turns that `readTurns` gives, while they are being read: what fills a screen comes first. */
export async function* readTurnsInSteps(conversation: Conversation): AsyncGenerator<Turn[]> {
  const { source, path, redactor } = conversation;
  if (!canBeSplit(conversation)) {
    yield await allTurns(conversation);
    return;
  }
  const { turns, addMessage, addFile } = startTurns();
  const tell = createTeller(emptyDraft(), addMessage, addFile);
  const place = { from: 0, linesBefore: 0, inheritedBytes: 0 };
  for (let most = FIRST_STEP, goesOn = true; goesOn; most = STEP) {
    const events: TranscriptEvent[] = [];
    let length = 0;
    goesOn = false;
    const isEnough = () => {
      goesOn = length >= most;
      return goesOn;
    };
    const { end, lines } = source.read(path, { ...place, isEnough }, (event) => {
      events.push('inherited' in event ? { ...event, inherited: false } : event);
      if (event.kind === 'message') length += event.text.length;
    });
    place.from = end;
    place.linesBefore += lines;
    for (const event of (await redactEvents(events, redactor)).events) tell(event);
    // The last turn may go on.
    yield turns.splice(0, goesOn ? turns.length - 1 : turns.length);
  }
}

/**
 * One turn, and how many there are. Redacts only this turn. A prompt that is private as a whole is no turn.
 * @param index counted from 0.
 */
export async function readTurn(
  conversation: Conversation,
  index: number,
): Promise<{ turn: Turn | null; count: number }> {
  if (!canBeSplit(conversation)) {
    const turns = await allTurns(conversation);
    return { turn: turns.find((turn) => turn.index === index) ?? null, count: turns.length };
  }
  const { source, path, redactor, parents = [] } = conversation;
  const wanted: TranscriptEvent[] = [];
  let count = 0;
  const keep = (event: TranscriptEvent, turn: number) => {
    count = turn + 1;
    if (turn === index) wanted.push(event);
  };
  const keepFile = (path: string, turn: number) => keep({ kind: 'file', path, inherited: false }, turn);
  const tell = createTeller(emptyDraft(), keep, keepFile);
  for (const event of eventsOf(source, path, parents))
    if (event.kind !== 'message' || withoutPrivate(event.text).trim() !== '') tell(event);
  const { turns, addMessage, addFile } = startTurns();
  for (const event of (await redactEvents(wanted, redactor)).events) {
    if (event.kind === 'message') addMessage(event, index);
    if (event.kind === 'file') addFile(event.path, index);
  }
  return { turn: turns[0] ?? null, count };
}

async function allTurns({ source, path, redactor, parents }: Conversation): Promise<Turn[]> {
  return (await readTurns(source, path, redactor, { parents })).turns;
}

/** Subagents belong to turns by their times, and an agent's own way of composing a history is not one file. */
function canBeSplit({ source, path }: Conversation): boolean {
  return source.readWhole === undefined && (source.inspect(path)?.subagents ?? []).length === 0;
}
