import { listOpen } from '../../app/memory/list-open.ts';
import { choice, count, list } from '../fields.ts';
import { filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';
import { everywhere, filterHere } from './here.ts';

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
    everywhere,
    ...filters,
  },
  async run(open, input, caller) {
    const parts = await opened(open);
    const { filter, ...here } = await filterHere(open, input, caller);
    return { ...here, ...(await listOpen(parts, { ...input, filter })) };
  },
  isEmpty: ({ sessions }) => sessions.length === 0,
});
