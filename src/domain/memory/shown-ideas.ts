import type { Idea } from './memory.ts';

/** Ideas below are shown only to those who ask for all. */
const LEAST_SHOWN = 0.85;

/** Whether an idea is shown without being asked for all. What the agent recorded is; how often a model is right, nobody measured. */
export function isShownIdea({ confidence, origin }: Pick<Idea, 'confidence' | 'origin'>): boolean {
  return origin === 'agent' || confidence >= LEAST_SHOWN;
}

/** Those of the ideas that are shown; all of them if the user asked for that. */
export function shownIdeas<T extends Pick<Idea, 'confidence' | 'origin'>>(
  ideas: T[],
  all: boolean | undefined,
): T[] {
  return all === true ? ideas : ideas.filter(isShownIdea);
}
