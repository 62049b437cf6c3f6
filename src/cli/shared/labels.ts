import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { titleOf } from '../../domain/search/fork-options.ts';
import type { Marker, Outcome } from '../../domain/session/session.ts';
import { shortId as shortIdOf } from '../../domain/session/session-id.ts';
import type { SessionCard } from '../../domain/summary.ts';
import { markerText } from '../../domain/text/marker-text.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural } from '../../domain/text/time-text.ts';
import type { Piece } from '../terminal/flow.ts';
import type { Ink } from '../terminal/ink.ts';

export { titleOf };

/** How every command prints a session's properties. */

export function shortId(sessionId: string): string {
  return shortIdOf(sanitizeLine(sessionId));
}

export function agentName(agent: Agent): string {
  return AGENT_ROWS[agent].shortName;
}

/** Where the session's transcript is, unless it is on this machine. */
export function placeOf({ restorable, gone, machine }: Place): string {
  if (gone) return 'transcript gone';
  return restorable ? 'restorable' : `on ${sanitizeLine(machine)}`;
}

type Place = Pick<SessionCard, 'restorable' | 'gone' | 'machine'>;

/** The rest of a result's family: its forks, its origin, sessions that did the same. Empty if there are none. */
export function familyText({ family = [] }: { family?: string[] }, ink: Ink): string {
  if (family.length === 0) return '';
  return `+ ${plural(family.length, 'session')} of the same work: ${family.map((id) => ink.named(id)).join(', ')}`;
}

export function outcomePiece(outcome: Outcome, { style }: Ink): Piece {
  return { text: outcome, paint: outcome === 'committed' ? style.good : style.dim };
}

export function markerPieces(markers: Marker[], { style }: Ink): Piece[] {
  return markers.map((marker) => ({ text: markerText(marker), paint: style.warn }));
}

export function tagPieces(tags: string[], { style }: Ink): Piece[] {
  return tags.map((tag) => ({ text: `#${sanitizeLine(tag)}`, paint: style.accent }));
}

export function markPieces(
  { starred, note }: { starred: boolean; note: string | null },
  { style, symbols }: Ink,
): Piece[] {
  return [
    ...(starred ? [{ text: symbols.star, paint: style.accent }] : []),
    ...(note === null ? [] : [{ text: `note: ${sanitizeLine(note)}`, paint: style.accent }]),
  ];
}
