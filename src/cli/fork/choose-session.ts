import { type ForkLinks, readForkLinks } from '../../app/fork/fork-tree.ts';
import { describeSession, type SessionDescription } from '../../app/read/describe-session.ts';
import { recentResults } from '../../app/search/recent-results.ts';
import { folderFilter } from '../../app/search/repository-filter.ts';
import type { SearchRequest } from '../../app/search/search-sessions.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { getSession } from '../../app/sessions/get-session.ts';
import { shortIds } from '../../compose/sessions/short-ids.ts';
import { comesFirst } from '../../domain/outage.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { SearchResult } from '../../domain/search-result.ts';
import type { CommandContext } from '../run-command.ts';
import { search } from '../search/run-search.ts';
import { tellNotices } from '../shared/notices.ts';
import { waitFor } from '../terminal/progress/spinner.ts';
import { type Asking, ask, choose } from './picker/ask-user.ts';
import type { Found, PickerSource } from './picker/picker.ts';
import type { Picked, Scope, Way } from './picker/picker-state.ts';

export interface Chosen {
  session: SessionPayload;
  query: string | null;
  /** Rank in the results, from 1; null if the session was given by id. */
  rank: number | null;
  /** How to continue it; null: ask the user. */
  way: Way | null;
}

const SHOWN = 20;
const MAX_SESSIONS = 200;
const SLOW =
  'Search is taking longer than expected (the first one loads the model; large stores take longer). Still searching';

/** Lets the user search for a session and pick one. Null: cancelled; `fresh`: start without context. */
export async function chooseSession(
  context: CommandContext,
  asking: Asking,
  firstQuery: string,
  { filter, ...preference }: Pick<SearchRequest, 'prefer'> & { filter: SessionFilter },
): Promise<Chosen | 'fresh' | null> {
  const describe = describer(context);
  for (let query: string | null = firstQuery; ; ) {
    query ||= await ask('What would you like to do?', asking);
    if (query === null) return null;
    let picked = await pickFound(context, asking, describe, { query, filter, preference });
    const searched = picked === 'browse' ? null : query;
    if (picked === 'browse') picked = await pickRecent(context, asking, describe, filter);
    if (picked.kind === 'cancel') return null;
    if (picked.kind === 'fresh') return 'fresh';
    if (picked.kind === 'refine') {
      query = picked.text || (await ask('What would you like to search for or do differently?', asking));
      if (query === null) return null;
      continue;
    }
    const session = await findSession(await context.parts.store(), picked.result.session_id);
    return { session, query: searched, rank: picked.result.rank, way: picked.way };
  }
}

type Describe = (result: SearchResult, query: string | null) => Promise<SessionDescription>;

/** Reads sessions for the preview. The links between forks are read only once. */
function describer(context: CommandContext): Describe {
  let links: Promise<ForkLinks> | null = null;
  return async (result, query) => {
    const { parts } = context;
    const store = await parts.store();
    links ??= readForkLinks(store);
    const session = await findSession(store, result.session_id);
    const forks = (await links).forks.get(session.session_id) ?? [];
    const parent = session.parent === null ? null : await getSession(store, session.parent.session_id);
    return describeSession({ ...parts, store }, session, query, { forks, parent });
  };
}

type Find = (filter: SessionFilter, limit: number) => Promise<Omit<Found, 'more' | 'shortId'>>;

async function pickFound(
  context: CommandContext,
  asking: Asking,
  describe: Describe,
  {
    query,
    filter,
    preference,
  }: { query: string; filter: SessionFilter; preference: Pick<SearchRequest, 'prefer'> },
): Promise<Picked | 'browse'> {
  const { mode, ranking } = context.config.search;
  let isTold = false;
  const find: Find = async (within, limit) => {
    const response = await search(context, { query, filter: within, limit, mode, ranking, ...preference });
    // Later, the list is on the screen.
    if (!isTold) tellNotices(response.notices.filter(comesFirst), context.terminal);
    isTold = true;
    return response;
  };
  const source = await sourceOf(context, find, filter, { query, describe });
  return source.results.length === 0 ? afterNothing(query, asking) : pickFrom(asking, source);
}

async function pickRecent(
  context: CommandContext,
  asking: Asking,
  describe: Describe,
  filter: SessionFilter,
): Promise<Picked> {
  const { parts } = context;
  const find: Find = async (within, limit) => ({
    confidence: null,
    results: await recentResults({ ...parts, store: await parts.store() }, within, limit),
  });
  return pickFrom(asking, await sourceOf(context, find, filter, { query: '', describe }));
}

/** Searches for as many sessions as a screen can show, and again when the user wants more or another scope. */
async function sourceOf(
  { parts, terminal }: CommandContext,
  find: Find,
  filter: SessionFilter,
  { query, describe }: { query: string; describe: Describe },
): Promise<PickerSource> {
  const folder = process.cwd();
  const isSwitched = filter.repo === undefined && parts.probe(folder) !== null;
  const findIn = async (scope: Scope | null, limit: number): Promise<Found> => {
    const within = scope === 'here' ? { ...filter, repo: folderFilter(folder, parts.probe) } : filter;
    const found = await find(within, limit);
    const ids = found.results.flatMap(({ session_id, family = [] }) => [session_id, ...family]);
    const shortId = await shortIds(parts, ids);
    return { ...found, more: limit < MAX_SESSIONS && found.results.length === limit, shortId };
  };
  const scope = isSwitched ? 'everywhere' : null;
  const first = await waitFor(findIn(scope, SHOWN), { terminal, text: 'Searching', slowText: SLOW });
  return {
    ...first,
    query,
    scope,
    nowMs: parts.machine.now(),
    describe: (result) => describe(result, query === '' ? null : query),
    find: (wanted) => findIn(wanted, MAX_SESSIONS),
  };
}

/** The choices after a search without results, as in the requirements document. */
async function afterNothing(query: string, asking: Asking): Promise<Picked | 'browse'> {
  asking.terminal.err(`No relevant sessions found for "${query}"\n`);
  const choice = await choose<Picked | 'browse'>(
    'Would you like to:',
    [
      { name: 'Start a fresh session', value: { kind: 'fresh' } },
      { name: 'Refine your search query', value: { kind: 'refine', text: '' } },
      { name: 'Browse recent sessions', value: 'browse' },
    ],
    asking,
  );
  return choice ?? { kind: 'cancel' };
}

async function pickFrom({ terminal, signal, plain }: Asking, source: PickerSource): Promise<Picked> {
  if (plain) {
    const { pickPlainly } = await import('./picker/plain-picker.ts');
    return pickPlainly(source, terminal, signal);
  }
  const { pick } = await import('./picker/picker.ts');
  return pick(source, terminal, signal);
}
