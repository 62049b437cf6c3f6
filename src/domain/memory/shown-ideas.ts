import type { Evidence, Idea, IdeaKind } from './memory.ts';

/**
 * Whether an idea is shown without being asked for all of them: at least 85 of 100 of its kind and evidence were right in sessions
 * that a person had read (docs/memory.md). What an agent or a model recorded is shown, because somebody asked for it.
 */
export function isShownIdea({ kind, evidence, origin }: Pick<Idea, 'kind' | 'evidence' | 'origin'>): boolean {
  return origin !== 'transcript' || !HIDDEN.some(([of, kinds]) => of === evidence && kinds.includes(kind));
}

/** What the agent says on the way is right too seldom. */
const HIDDEN: [Evidence, IdeaKind[]][] = [
  ['remark', ['decision', 'conclusion', 'question', 'problem', 'solution', 'todo', 'context']],
];
