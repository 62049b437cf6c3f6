import { listEditedFiles } from '../../app/read/list-edited-files.ts';
import { count } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const editedFiles = operation({
  summary: 'list the files that the newest sessions edited, each with these sessions',
  effect: 'reads',
  fields: {
    limit: count({ about: 'number of files, the latest first', max: 500, default: 100, alias: 'n' }),
    ...filters,
  },
  async run(open, { limit, ...given }, caller) {
    const filter = await filterOf(open, given, caller);
    return listEditedFiles(await opened(open), { filter, limit });
  },
  isEmpty: ({ files }) => files.length === 0,
});
