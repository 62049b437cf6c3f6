import type { IdeaPayload } from '../../../domain/point/point.ts';
import { ideasAround } from '../list-open.ts';
import { type RelatedIdeas, relatedIdeas } from '../related-ideas.ts';
import type { Question, QuestionDependencies } from './understand-question.ts';

/** Relations among the ideas, or among all of their repositories if one that may be shown is open so far: another may have closed it. */
export async function relationsAmong(
  deps: QuestionDependencies,
  { said }: Question,
  ideas: IdeaPayload[],
  shown = ideas,
): Promise<RelatedIdeas> {
  const isLeft = shown.some(({ is_open }) => is_open === true);
  return relatedIdeas(isLeft ? await ideasAround(deps, ideas, said.filter) : ideas);
}
