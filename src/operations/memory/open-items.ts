import { listOpen } from '../../app/memory/list-open.ts';
import { choice, count, list } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';
import { all } from './recall.ts';

const OPEN_KINDS = ['todo', 'question', 'problem'] as const;

export const openItems = operation({
  summary: 'list todos, questions and problems that no session closed',
  effect: 'reads',
  fields: {
    kinds: list(choice(OPEN_KINDS, { about: 'a kind of item' }), {
      about: 'only this kind',
      most: 3,
      least: 1,
    }),
    limit: count({ about: 'number of items, newest first', max: 1000, default: 20, alias: 'n' }),
    all,
    ...filters,
  },
  async run(open, input, caller) {
    return listOpen(await opened(open), { ...input, filter: await filterOf(open, input, caller) });
  },
  isEmpty: ({ sessions }) => sessions.length === 0,
});
