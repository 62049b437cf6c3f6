import { redactEvents } from '../../../src/app/privacy/redact-events.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { addToMemory } from '../../../src/domain/memory/extract/add-to-memory.ts';
import { emptyMemoryState } from '../../../src/domain/memory/extract/memory-state.ts';
import { takeChanges } from '../../../src/domain/memory/extract/take-changes.ts';
import { BEFORE_FIRST_TURN, markOwnTurns } from '../../../src/domain/own/own-turns.ts';
import { addEvent, emptyDraft } from '../../../src/domain/session/draft.ts';
import type { Idea, Span } from '../../../src/domain/session/ideas.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';

/** The ideas that the rules find in a transcript. */
export interface SessionMemory {
  ideas: Idea[];
  spans: Span[];
  /** Milliseconds between each turn's prompt and the last message before it; 0 if a time is missing. */
  pauses: number[];
  /** Number of characters in the conversation. */
  characters: number;
}

type Placed = TranscriptEvent & { line: number };

/** Reads these sessions' transcripts like indexing; a session without a transcript is missing from the result. */
export async function readMemories(parts: Parts, ids: Set<string>): Promise<Map<string, SessionMemory>> {
  const memories = new Map<string, SessionMemory>();
  for (const source of parts.sources) {
    const files = source.find();
    for (const file of files) {
      if (!ids.has(file.sessionId)) continue;
      const events: Placed[] = [];
      const inheritedBytes = source.findInheritance(file, files)?.inheritedBytes ?? 0;
      source.read(file.path, { from: 0, linesBefore: 0, inheritedBytes }, (event, _, line) =>
        events.push({ ...event, line }),
      );
      const redacted = (await redactEvents(events, parts.redactor)).events as Placed[];
      const marked = (markOwnTurns(redacted, BEFORE_FIRST_TURN)?.events ?? redacted) as Placed[];
      memories.set(file.sessionId, fold(marked));
    }
  }
  return memories;
}

function fold(events: Placed[]): SessionMemory {
  const draft = emptyDraft();
  const state = emptyMemoryState();
  const pauses: number[] = [];
  let turn = -1;
  let before = Number.NaN;
  let characters = 0;
  for (const event of events) {
    const isMessage = addEvent(draft, event) && event.kind === 'message';
    if (isMessage && event.role === 'user') {
      turn += 1;
      pauses.push(Date.parse(event.timestamp ?? '') - before || 0);
    }
    if (isMessage) {
      before = Date.parse(event.timestamp ?? '');
      characters += event.text.length;
    }
    addToMemory(state, event, { turn: Math.max(0, turn), line: event.line });
  }
  return { ...takeChanges(state), pauses, characters };
}
