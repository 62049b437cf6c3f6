import { traceCommit } from '../../app/trace/trace-commit.ts';
import { text } from '../fields.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const which = operation({
  summary: 'show the sessions that made a commit',
  effect: 'reads',
  fields: {
    commit: text({
      about: 'a hash, or any git revision inside its repository',
      min: 1,
      max: 300,
      required: true,
    }),
  },
  async run(open, { commit }, { directory }) {
    return traceCommit({ ...(await opened(open)), git: await open.git() }, commit, directory);
  },
  isEmpty: ({ sessions }) => sessions.length === 0,
  mayLack: ({ sessions }) => sessions.length === 0,
});
