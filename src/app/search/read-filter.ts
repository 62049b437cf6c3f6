import { AGENTS } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { languageNamed, languageNames } from '../../domain/session/languages.ts';
import { MARKERS } from '../../domain/session/session.ts';
import { setFields } from '../../domain/set-fields.ts';
import { NOTED, plainTag, STARRED } from '../../domain/tags/marks.ts';
import { didYouMean } from '../../domain/text/nearest-value.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { readTime, type TimeDependencies } from './read-time.ts';
import { repositoryFilter } from './repository-filter.ts';

/** Filters as typed by the user. */
export interface FilterArguments {
  repo?: string;
  agent?: string;
  machine?: string;
  branch?: string;
  since?: string;
  until?: string;
  file?: string;
  tag?: string;
  starred?: boolean;
  noted?: boolean;
  lang?: string;
  has_code?: boolean;
  marker?: string;
}

interface FilterDependencies extends TimeDependencies {
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
  const store = async () => (deps.storeExists() ? deps.store() : null);
  const marks = [...(args.starred === true ? [STARRED] : []), ...(args.noted === true ? [NOTED] : [])];
  const { repo, agent, machine, branch, since, until, file, tag, lang, marker } = args;
  return setFields({
    repo: repo === undefined ? undefined : await repositoryFilter(repo, deps.probe, store),
    agent: agent === undefined ? undefined : oneOf(AGENTS, agent),
    machine,
    branch,
    since: since === undefined ? undefined : await readTime(deps, nameOf('since'), since),
    until: until === undefined ? undefined : await readTime(deps, nameOf('until'), until, 'end'),
    file,
    tag: tag === undefined ? undefined : plainTag(tag),
    marks: marks.length > 0 ? marks : undefined,
    lang: lang === undefined ? undefined : languageOf(nameOf('lang'), lang),
    hasCode: args.has_code === true ? true : undefined,
    marker: marker === undefined ? undefined : oneOf(MARKERS, marker),
  });
}

/** An empty value is a variable of a shell that is not set. */
function checkValues(args: FilterArguments, nameOf: (filter: string) => string): void {
  for (const name of TEXTS)
    if (args[name]?.trim() === '') throw new SmartForkError('USAGE', `${nameOf(name)} needs a value`);
}

const TEXTS = ['repo', 'machine', 'branch', 'file', 'tag', 'lang'] as const;

function languageOf(option: string, name: string): string {
  const found = languageNamed(name);
  if (found !== null) return found;
  throw new SmartForkError(
    'USAGE',
    `${option}: unknown language "${name}"${didYouMean(name, languageNames())}`,
    {
      hint: 'Use its name, or the ending of its files: python, .py',
    },
  );
}

function oneOf<T extends string>(known: readonly T[], value: string): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new SmartForkError('USAGE', `"${value}" is not one of ${known.join(', ')}`);
  return found;
}
