import type { Argv } from 'yargs';
import { type FilterArguments, readFilter } from '../../app/search/read-filter.ts';
import type { Parts } from '../../compose/parts.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { AGENTS, MARKERS } from '../../domain/session/session.ts';

export type { FilterArguments };

/** Options that filter sessions, the same in every command. */
export function withFilters<T>(yargs: Argv<T>): Argv<T & FilterArguments> {
  const group = 'Filters:';
  return yargs
    .option('repo', {
      type: 'string',
      group,
      describe: 'repository: ., a path, a name or owner/name',
    })
    .option('agent', { type: 'string', group, choices: AGENTS, describe: 'agent that ran the session' })
    .option('machine', { type: 'string', group, describe: 'machine the session ran on' })
    .option('branch', { type: 'string', group, describe: 'git branch' })
    .option('since', { type: 'string', group, describe: 'active since a date, or an age: "2 weeks", 3d' })
    .option('until', { type: 'string', group, describe: 'started no later than a date, or an age' })
    .option('file', { type: 'string', group, describe: 'changed this file (a path, or the end of one)' })
    .option('tag', { type: 'string', group, describe: 'has this tag' })
    .option('starred', { type: 'boolean', group, describe: 'has a star' })
    .option('noted', { type: 'boolean', group, describe: 'has a note' })
    .option('marker', {
      type: 'string',
      group,
      choices: MARKERS,
      coerce: (value: string | undefined) => value?.toUpperCase(),
      describe: 'contains this memory marker',
    }) as unknown as Argv<T & FilterArguments>;
}

/** `readFilter` for the options of a command. */
export function filterOf(args: FilterArguments, parts: Parts): Promise<SessionFilter> {
  return readFilter(args, parts, (name) => `--${name}`);
}
