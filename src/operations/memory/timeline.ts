import { timeline as storyOf } from '../../app/memory/timeline.ts';
import { count, text } from '../fields.ts';
import { filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';
import { everywhere, filterHere } from './here.ts';
import { kinds } from './recall.ts';

export const timeline = operation({
  summary: 'list decisions, findings and solutions in order',
  effect: 'reads',
  fields: {
    query: text({ about: 'follow one decision: its subject', max: 4000, also: 'q' }),
    entity: text({
      about: 'only about a file, a package, an error …: a name, or type:name',
      min: 1,
      max: 400,
    }),
    kinds: { ...kinds, about: 'only this kind (default: decision, conclusion, problem, solution)' },
    limit: count({ about: 'number of findings, newest first', max: 1000, default: 30, alias: 'n' }),
    everywhere,
    ...filters,
  },
  async run(open, input, caller) {
    const parts = await opened(open);
    const { filter, ...here } = await filterHere(open, input, caller);
    const story = await storyOf(parts, { ...input, query: input.query || undefined, filter });
    return { ...here, ...story, notices: [...here.notices, ...story.notices] };
  },
  isEmpty: ({ sessions }) => sessions.length === 0,
});
