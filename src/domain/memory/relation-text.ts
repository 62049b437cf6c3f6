import type { RelationKind } from '../session/ideas.ts';
import type { LaterView } from './memory-result.ts';

/** Words for a relation, seen from one of its ends: "replaced", "answered by". */
export function relationText(kind: RelationKind, reversed: boolean): string {
  return TEXTS[kind][reversed ? 1 : 0];
}

const TEXTS: Record<RelationKind, [string, string]> = {
  supersedes: ['replaces', 'replaced: now'],
  builds_on: ['builds on', 'continued by'],
  contradicts: ['holds now, contradicts', 'no longer holds, contradicted by'],
  answers: ['answers', 'answered by'],
  relates_to: ['see also', 'see also'],
};

/** Words for what is said after an answer: "the next prompt says otherwise". */
export const LATER_TEXTS: Record<LaterView['why'], string> = {
  denied: 'the next prompt says otherwise',
  repeated: 'the error came again',
  'taken back': 'taken back by the user',
  continued: 'may be over, worked on later in',
};
