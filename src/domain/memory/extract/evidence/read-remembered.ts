import type { RememberedIdea } from '../../../session/transcript-event.ts';
import { clip } from '../../../text/clip.ts';
import type { MemoryState, Place } from '../memory-state.ts';
import { noteIdea } from '../note-idea.ts';

const MAX_ENTITIES = 12;
const LONGEST_ENTITY = 200;
const MAY_BE_OPEN = new Set<string>(['question', 'problem', 'todo']);

/** An idea that the agent asked smart-fork to remember, in the agent's own words. */
export function addRemembered(
  state: MemoryState,
  { kind, content, entities }: RememberedIdea,
  at: Place,
): void {
  noteIdea(state, at, {
    kind,
    content,
    evidence: 'marker',
    confidence: 0.9,
    origin: 'agent',
    isOpen: MAY_BE_OPEN.has(kind) ? true : undefined,
    entities: entities.slice(0, MAX_ENTITIES).map(entityOf),
  });
}

/** As `type:name`, like all entities. */
function entityOf(name: string): string {
  const text = clip(name.trim().toLowerCase(), LONGEST_ENTITY);
  return /^[a-z]+:\S/.test(text) ? text : `concept:${text}`;
}
