import { SmartForkError } from '../../domain/errors.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { AGENTS, MARKERS } from '../../domain/session/session.ts';
import { NOTED, STARRED } from '../../domain/tags/marks.ts';
import { parseTime } from '../../domain/text/parse-time.ts';
import type { RepositoryProbe, ThisMachine } from '../../ports/machine.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { repositoryFilter } from './repository-filter.ts';

/** Filters as typed by the user. */
export interface FilterArguments {
  repo?: string | undefined;
  agent?: string | undefined;
  machine?: string | undefined;
  branch?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  file?: string | undefined;
  tag?: string | undefined;
  starred?: boolean | undefined;
  noted?: boolean | undefined;
  marker?: string | undefined;
}

interface FilterDependencies {
  machine: ThisMachine;
  probe: RepositoryProbe;
  storeExists(): boolean;
  store(): Promise<PointStore>;
}

/**
 * @param nameOf the name of a filter in error messages.
 * @throws SmartForkError USAGE
 */
export async function readFilter(
  args: FilterArguments,
  deps: FilterDependencies,
  nameOf: (filter: string) => string = (name) => name,
): Promise<SessionFilter> {
  checkValues(args, nameOf);
  const now = deps.machine.now();
  const store = async () => (deps.storeExists() ? deps.store() : null);
  const marks = [...(args.starred === true ? [STARRED] : []), ...(args.noted === true ? [NOTED] : [])];
  const { repo, agent, machine, branch, since, until, file, tag, marker } = args;
  return {
    ...(repo !== undefined && { repo: await repositoryFilter(repo, deps.probe, store) }),
    ...(agent !== undefined && { agent: oneOf(AGENTS, agent) }),
    ...(machine !== undefined && { machine }),
    ...(branch !== undefined && { branch }),
    ...(since !== undefined && { since: parseTime(nameOf('since'), since, now) }),
    ...(until !== undefined && { until: parseTime(nameOf('until'), until, now, 'end') }),
    ...(file !== undefined && { file }),
    ...(tag !== undefined && { tag }),
    ...(marks.length > 0 && { marks }),
    ...(marker !== undefined && { marker: oneOf(MARKERS, marker) }),
  };
}

/** An empty value is a variable of a shell that is not set. */
function checkValues(args: FilterArguments, nameOf: (filter: string) => string): void {
  for (const name of TEXTS)
    if (args[name]?.trim() === '') throw new SmartForkError('USAGE', `${nameOf(name)} needs a value`);
}

const TEXTS = ['repo', 'machine', 'branch', 'file', 'tag'] as const;

function oneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new SmartForkError('USAGE', `"${value}" is not one of ${known.join(', ')}`);
  return found;
}
