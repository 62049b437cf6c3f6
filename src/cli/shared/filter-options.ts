import type { Argv } from 'yargs';
import { repositoryFilter } from '../../app/search/repository-filter.ts';
import type { Parts } from '../../compose/parts.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { AGENTS, type Agent, MARKERS, type Marker } from '../../domain/session/session.ts';
import { parseTime } from '../../domain/text/parse-time.ts';

export interface FilterArguments {
  repo?: string | undefined;
  agent?: string | undefined;
  machine?: string | undefined;
  branch?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  file?: string | undefined;
  tag?: string | undefined;
  marker?: string | undefined;
}

/** The options that filter sessions, the same in every command. */
export function withFilters<T>(yargs: Argv<T>): Argv<T & FilterArguments> {
  const group = 'Filters:';
  return yargs
    .option('repo', {
      type: 'string',
      group,
      describe: 'repository: ., a path, a name or owner/name',
    })
    .option('agent', { type: 'string', group, choices: AGENTS, describe: 'agent that ran the session' })
    .option('machine', { type: 'string', group, describe: 'machine that the session ran on' })
    .option('branch', { type: 'string', group, describe: 'git branch' })
    .option('since', { type: 'string', group, describe: 'active since a date, or an age: "2 weeks", 3d' })
    .option('until', { type: 'string', group, describe: 'started no later than a date, or an age' })
    .option('file', { type: 'string', group, describe: 'changed this file (a path, or the end of one)' })
    .option('tag', { type: 'string', group, describe: 'has this tag' })
    .option('marker', {
      type: 'string',
      group,
      choices: MARKERS,
      coerce: (value: string | undefined) => value?.toUpperCase(),
      describe: 'contains this memory marker',
    }) as unknown as Argv<T & FilterArguments>;
}

export async function filterOf(args: FilterArguments, parts: Parts): Promise<SessionFilter> {
  const now = parts.machine.now();
  const store = async () => (parts.storeExists() ? parts.store() : null);
  return {
    ...(args.repo !== undefined && { repo: await repositoryFilter(args.repo, parts.probe, store) }),
    ...(args.agent !== undefined && { agent: oneOf(AGENTS, args.agent) satisfies Agent }),
    ...(args.machine !== undefined && { machine: args.machine }),
    ...(args.branch !== undefined && { branch: args.branch }),
    ...(args.since !== undefined && { since: parseTime('--since', args.since, now) }),
    ...(args.until !== undefined && { until: parseTime('--until', args.until, now, 'end') }),
    ...(args.file !== undefined && { file: args.file }),
    ...(args.tag !== undefined && { tag: args.tag }),
    ...(args.marker !== undefined && { marker: oneOf(MARKERS, args.marker) satisfies Marker }),
  };
}

function oneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new SmartForkError('USAGE', `"${value}" is not one of ${known.join(', ')}`);
  return found;
}
