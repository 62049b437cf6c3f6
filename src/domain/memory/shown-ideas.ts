import type { Idea } from '../session/ideas.ts';

/** Whether an idea is shown by default. The precision of models has not been measured. */
export function isShownIdea({ origin }: Pick<Idea, 'origin'>): boolean {
  return origin !== 'model';
}

/** The ideas that are shown; all of them if the user asked for all. */
export function shownIdeas<T extends Pick<Idea, 'origin'>>(ideas: T[], all: boolean | undefined): T[] {
  return all === true ? ideas : ideas.filter(isShownIdea);
}
