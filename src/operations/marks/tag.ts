import { tagSession } from '../../app/sessions/tag-session.ts';
import { list, sessionId, text } from '../fields.ts';
import { operation } from '../operation.ts';

const tags = (about: string) =>
  list(text({ about: 'letters, digits, . _ - and /', min: 1, max: 60 }), { about, most: 50 });

export const tag = operation({
  summary: 'add or remove tags of a session; with neither, return its tags',
  effect: 'sends',
  fields: {
    id: sessionId,
    add: tags('tags to add'),
    remove: tags('tags to remove'),
  },
  changes: ({ add = [], remove = [] }) => add.length + remove.length > 0,
  async run(open, { id, add, remove }) {
    return tagSession(await open.store(), id, { add, remove });
  },
});
