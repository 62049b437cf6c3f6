import { listIdeas } from '../../app/memory/browse/list-ideas.ts';
import { IDEA_KINDS } from '../../domain/session/ideas.ts';
import { choice, count, flag, text } from '../fields.ts';
import { filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';
import { everywhere, filterHere } from './here.ts';

export const ideas = operation({
  summary: 'list decisions, questions, solutions and open items of past sessions',
  effect: 'reads',
  fields: {
    query: text({ about: 'words to search for', max: 4000, also: 'q' }),
    kind: choice(IDEA_KINDS, { about: 'only findings of this kind' }),
    open: flag({ about: 'only open questions, problems and todos' }),
    limit: count({ about: 'number of findings, newest first', max: 500, default: 50, alias: 'n' }),
    everywhere,
    ...filters,
  },
  async run(open, input, caller) {
    const parts = await opened(open);
    const { filter, ...here } = await filterHere(open, input, caller);
    const asked = { ...input, query: input.query || undefined, open: input.open === true };
    return { ...here, ...(await listIdeas(parts, { ...asked, filter })) };
  },
  isEmpty: ({ ideas: found }) => found.length === 0,
});
