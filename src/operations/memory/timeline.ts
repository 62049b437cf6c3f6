import { followQuery } from '../../app/memory/follow-query.ts';
import { count, flag, text } from '../fields.ts';
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
    literal: flag({ about: 'search for every word of the subject' }),
    everywhere,
    ...filters,
  },
  async run(open, input, caller) {
    const parts = await opened(open);
    const { filter, repository, notices } = await filterHere(open, input, caller);
    const { repo, ...given } = filter;
    // A repository in the query counts more than the current one.
    const story = await followQuery(parts, {
      ...input,
      ...(repository === null ? { filter } : { filter: given, here: repo }),
    });
    const isElsewhere = story.understood.some(({ kind }) => kind === 'repo');
    return { repository: isElsewhere ? null : repository, ...story, notices: [...notices, ...story.notices] };
  },
  isEmpty: ({ sessions }) => sessions.length === 0,
});
