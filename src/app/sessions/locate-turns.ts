import { isPrompt, type TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { LinePlace, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import type { Turn } from './conversation/turn.ts';
import { collectTurns, eventsOf } from './read-conversation.ts';

/** A turn in its transcript: the lines that begin at `from` or later and before `to`. */
export interface LocatedTurn extends Turn {
  /** `prompt`: where the user's message begins, if the agent's come before it. */
  place: { path: string; from: number; to: number; prompt?: number };
}

/** A transcript's turns without subagents, not redacted. A fork's turns may be in its parents' transcripts. */
export function locateTurns(
  source: TranscriptSource,
  path: string,
  parents: TranscriptFile[] = [],
): LocatedTurn[] {
  const places = new Map<TranscriptEvent, LinePlace>();
  const events = eventsOf(source, path, parents, (event, place) => places.set(event, place));
  const ranges: LocatedTurn['place'][] = [];
  const { turns } = collectTurns(events, (index, event) => {
    const place = places.get(event) ?? { path, offset: 0 };
    ranges[index] ??= { path: place.path, from: index === 0 ? 0 : place.offset, to: 0 };
    const range = ranges[index];
    const isFirst = index === 0 && range.prompt === undefined && place.offset > 0;
    if (isFirst && isPrompt(event) && place.path === range.path) range.prompt = place.offset;
    if (place.path === range.path) range.to = Math.max(range.to, place.offset + 1);
  });
  return turns.map((turn, at) => {
    const place = ranges[turn.index] ?? { path, from: 0, to: 0 };
    const next = turns[at + 1];
    const after = next === undefined ? undefined : ranges[next.index];
    // The inherited part ends before the parent's transcript does.
    const to =
      next === undefined ? Number.POSITIVE_INFINITY : after?.path === place.path ? after.from : place.to;
    return { ...turn, place: { ...place, to } };
  });
}
