import { traceLines } from '../../app/trace/trace-lines.ts';
import { text } from '../fields.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const blame = operation({
  summary: 'show the sessions that wrote a line',
  effect: 'reads',
  fields: {
    file: text({ about: 'FILE, FILE:LINE or FILE:FIRST-LAST', min: 1, max: 4096, required: true }),
  },
  async run(open, { file }, { directory }) {
    return traceLines({ ...(await opened(open)), git: await open.git() }, file, directory);
  },
  isEmpty: ({ commits }) => commits.every(({ sessions }) => sessions.length === 0),
  mayLack: ({ commits }) => commits.some(({ sessions }) => sessions.length === 0),
});
