import type { RelationKind } from '../session/ideas.ts';

/** Words for a relation, seen from one of its ends: "replaced", "answered by". */
export function relationText(kind: RelationKind, reversed: boolean): string {
  return TEXTS[kind][reversed ? 1 : 0];
}

const TEXTS: Record<RelationKind, [string, string]> = {
  supersedes: ['replaced', 'replaced by'],
  builds_on: ['builds on', 'continued by'],
  contradicts: ['contradicts', 'contradicted by'],
  answers: ['answers', 'answered by'],
  relates_to: ['see also', 'see also'],
};
