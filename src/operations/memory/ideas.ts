import { IDEA_KINDS } from '../../domain/session/ideas.ts';
import { choice, count, flag, text } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const ideas = operation({
  name: 'ideas',
  summary: 'list decisions, questions, solutions and open items of past sessions',
  effect: 'reads',
  fields: {
    query: text({ about: 'words to search for', max: 4000, also: 'q' }),
    kind: choice(IDEA_KINDS, { about: 'only ideas of this kind' }),
    open: flag({ about: 'only open questions, problems and todos' }),
    limit: count({ about: 'number of ideas, newest first', max: 500, default: 50, alias: 'n' }),
    ...filters,
  },
  async run(open, { query, kind, open: onlyOpen, limit, ...given }, caller) {
    const { listIdeas } = await import('../../app/memory/browse/list-ideas.ts');
    const filter = await filterOf(open, given, caller);
    return listIdeas(await opened(open), {
      filter,
      query: query || undefined,
      kind,
      open: onlyOpen === true,
      limit,
    });
  },
});
