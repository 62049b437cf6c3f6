import { readFilter } from '../app/search/read-filter.ts';
import { type PreferredRepository, preferredAround } from '../app/search/repository-filter.ts';
import { AGENTS } from '../domain/agent/agents.ts';
import { LONGEST_QUERY, MAX_PHRASINGS } from '../domain/search/phrasings.ts';
import type { SessionFilter } from '../domain/search/search.ts';
import { MARKERS } from '../domain/session/session.ts';
import type { Caller } from './caller.ts';
import { choice, flag, type Input, list, text } from './fields.ts';
import type { Open } from './open.ts';

/** The filters of sessions, the same in every operation that has some. */
export const filters = {
  repo: text({ about: 'repository: ., a path, a name or owner/name', min: 1, max: 4096 }),
  agent: choice(AGENTS, { about: 'agent that ran the session' }),
  machine: text({ about: 'machine the session ran on', min: 1, max: 200 }),
  branch: text({ about: 'git branch', min: 1, max: 300 }),
  since: text({
    about: 'active since a date, an age ("2 weeks", 3d), or words: "last week"',
    min: 1,
    max: 60,
  }),
  until: text({ about: 'started no later than such a time', min: 1, max: 60 }),
  file: text({ about: 'changed this file (a path, or the end of one)', min: 1, max: 4096 }),
  tag: text({ about: 'has this tag', min: 1, max: 60 }),
  starred: flag({ about: 'has a star' }),
  noted: flag({ about: 'has a note' }),
  lang: text({ about: 'changed or showed code of this language (ts, python)', min: 1, max: 40 }),
  has_code: flag({ about: 'changed or showed code' }),
  marker: choice(MARKERS, {
    about: 'an agent marked text as reusable (PATTERN), as a solution that works, or as unfinished (WAITING)',
  }),
};

/** Of searches. */
export const mine = flag({ about: 'only what you said yourself' });

/** Of searches: guesses at the words of what is wanted, too. */
export const also = list(
  text({ about: 'another wording of the query', min: 1, max: LONGEST_QUERY, called: 'a phrasing' }),
  {
    about: 'another wording of the query (at most four)',
    most: MAX_PHRASINGS,
    called: 'further phrasings',
    // `readPhrasings` says which one.
    explained: true,
  },
);

/** Of searches that prefer the caller's repository. */
export const everywhere = flag({
  about: 'do not prefer the current repository: by default it wins among close results',
});

export type FilterInput = Input<typeof filters>;

/** @throws SmartForkError USAGE for a time or a value that is not understood */
export function filterOf(open: Open, input: FilterInput, caller: Caller): Promise<SessionFilter> {
  return readFilter(input, open, caller.nameOf);
}

/** The same without the conversation that asks. */
export async function filterWithoutAsker(
  open: Open,
  input: FilterInput,
  caller: Caller,
): Promise<SessionFilter> {
  const filter = await filterOf(open, input, caller);
  return caller.running.length === 0 ? filter : { ...filter, excludeSessionIds: caller.running };
}

/** Sessions of the caller's project come first among nearly equal ones, unless a repository is given. */
export async function preferredProject(
  { settings, probe }: Open,
  { everywhere, repo }: { everywhere?: boolean; repo?: string },
  caller: Caller,
): Promise<PreferredRepository | undefined> {
  if (everywhere === true || repo !== undefined || !settings.preferRepository) return undefined;
  const project = await caller.project();
  return project === null ? undefined : (preferredAround(project, probe) ?? undefined);
}
