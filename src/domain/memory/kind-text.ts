import type { IdeaKind } from '../session/ideas.ts';
import type { IdeaView } from './memory-result.ts';

/** "todo, done", "tentative decision". */
export function kindText({ kind, open, tentative }: Pick<IdeaView, 'kind' | 'open' | 'tentative'>): string {
  const [isOpen, isDone] = OPEN[kind] ?? [kind, kind];
  return `${tentative ? 'tentative ' : ''}${open === null ? kind : open ? isOpen : isDone}`;
}

const OPEN: Partial<Record<IdeaKind, [string, string]>> = {
  todo: ['open todo', 'todo, done'],
  question: ['open question', 'question, answered'],
  problem: ['open problem', 'problem, solved'],
};
