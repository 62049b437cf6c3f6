import { emptyDraft } from '../../../domain/session/draft.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import { withoutPrivate } from '../../../domain/text/redaction.ts';
import type { Redactor } from '../../../ports/redactor.ts';
import type { TranscriptFile, TranscriptSource } from '../../../ports/transcript-source.ts';
import { redactEvents } from '../../privacy/redact-events.ts';
import type { Turn } from '../../sessions/conversation/turn.ts';
import { createTeller, eventsOf, markRewound, startTurns } from '../../sessions/read-conversation.ts';
import {
  addToTurns,
  beganAt,
  isBefore,
  redactSubagents,
  subagentsOf,
  turnAt,
} from '../../sessions/read-subagents.ts';

export interface Conversation {
  source: TranscriptSource;
  path: string;
  redactor: Redactor;
  /** Transcripts outside the folders of the source. */
  parents?: TranscriptFile[];
  /** The turns that the user took back, as known from the index. */
  rewound?: number[];
}

/** Length of the first step in UTF-16 units, and of the others. */
const FIRST_STEP = 20_000;
const STEP = 200_000;

/** Yields the turns of `readTurns` while they are being read, starting with enough to fill a screen. */
export async function* readTurnsInSteps(conversation: Conversation): AsyncGenerator<Turn[]> {
  const { source, path, redactor } = conversation;
  const { turns, addMessage, addFile } = startTurns();
  const tell = createTeller(emptyDraft(), addMessage, addFile);
  let waiting = subagentsOf(source, path);
  for (const { events, goesOn } of stepsOf(conversation)) {
    for (const event of (await redactEvents(events, redactor)).events) tell(event);
    // The last turn may continue.
    const ready = turns.splice(0, goesOn ? turns.length - 1 : turns.length);
    if (ready.length === 0) continue;
    const next = turns[0]?.timestamp ?? null;
    const later = waiting.filter((subagent) => isBefore(next, beganAt(subagent)));
    const here = waiting.filter((subagent) => !later.includes(subagent));
    waiting = later;
    addToTurns(ready, await redactSubagents(here, redactor));
    markRewound(ready, conversation.rewound);
    yield ready;
  }
}

interface Step {
  events: TranscriptEvent[];
  /** Whether more follows. */
  goesOn: boolean;
}

function* stepsOf(conversation: Conversation): Generator<Step> {
  const { source, path, parents = [] } = conversation;
  if (source.readInherited === undefined) yield* stepsOfFile(source, path);
  else yield* stepsOfEvents(eventsOf(source, path, parents));
}

function* stepsOfFile(source: TranscriptSource, path: string): Generator<Step> {
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
      length += lengthOf(event);
    });
    place.from = end;
    place.linesBefore += lines;
    yield { events, goesOn };
  }
}

/** Cuts events that an agent composes from several files into steps: the files are read at once, because redaction takes longest. */
function* stepsOfEvents(all: TranscriptEvent[]): Generator<Step> {
  let events: TranscriptEvent[] = [];
  let length = 0;
  let most = FIRST_STEP;
  for (const event of all) {
    if (length >= most) {
      yield { events, goesOn: true };
      [events, length, most] = [[], 0, STEP];
    }
    events.push(event);
    length += lengthOf(event);
  }
  yield { events, goesOn: false };
}

function lengthOf(event: TranscriptEvent): number {
  return event.kind === 'message' ? event.text.length : 0;
}

/**
 * A single turn, and the number of turns. Redacts only this turn. A prompt that is entirely private is not a turn.
 * @param index counted from 0.
 */
export async function readTurn(
  { source, path, redactor, parents = [] }: Conversation,
  index: number,
): Promise<{ turn: Turn | null; count: number }> {
  const wanted: TranscriptEvent[] = [];
  const known: { index: number; timestamp: string | null }[] = [];
  const keep = (event: TranscriptEvent, turn: number) => {
    known[turn] ??= { index: turn, timestamp: event.kind === 'message' ? event.timestamp : null };
    if (turn === index) wanted.push(event);
  };
  const keepFile = (path: string, turn: number) => keep({ kind: 'file', path, inherited: false }, turn);
  const draft = emptyDraft();
  const tell = createTeller(draft, keep, keepFile);
  for (const event of eventsOf(source, path, parents))
    if (event.kind !== 'message' || withoutPrivate(event.text).trim() !== '') tell(event);
  const { turns, addMessage, addFile } = startTurns();
  for (const event of (await redactEvents(wanted, redactor)).events) {
    if (event.kind === 'message') addMessage(event, index);
    if (event.kind === 'file') addFile(event.path, index);
  }
  const own = subagentsOf(source, path).filter((one) => turnAt(known, beganAt(one))?.index === index);
  if (turns.length > 0) addToTurns(turns, await redactSubagents(own, redactor));
  markRewound(turns, draft.rewound);
  return { turn: turns[0] ?? null, count: known.length };
}
