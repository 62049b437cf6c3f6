import type { Idea } from '../session/ideas.ts';

/** Ideas with less confidence are hidden unless all are requested. */
const MIN_SHOWN = 0.85;

/** Whether an idea is shown by default. Ideas recorded by the agent are. The precision of models has not been measured. */
export function isShownIdea({ confidence, origin }: Pick<Idea, 'confidence' | 'origin'>): boolean {
  return origin === 'agent' || confidence >= MIN_SHOWN;
}

/** The ideas that are shown; all of them if the user asked for all. */
export function shownIdeas<T extends Pick<Idea, 'confidence' | 'origin'>>(
  ideas: T[],
  all: boolean | undefined,
): T[] {
  return all === true ? ideas : ideas.filter(isShownIdea);
}
