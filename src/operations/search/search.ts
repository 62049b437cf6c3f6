import { readTime } from '../../app/search/read-time.ts';
import { type SearchRequest, searchSessions } from '../../app/search/search-sessions.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { RANKINGS, SEARCH_MODES, type SessionFilter } from '../../domain/search/search.ts';
import type { SearchResponse } from '../../domain/search-result.ts';
import { OUTCOMES } from '../../domain/session/session.ts';
import type { Caller } from '../caller.ts';
import { choice, count, flag, type Input, list, number, sessionId, text } from '../fields.ts';
import { also, everywhere, filterOf, filters, mine, preferredProject } from '../filters.ts';
import { type Open, opened } from '../open.ts';
import { operation } from '../operation.ts';

const fields = {
  // Longer text is cut to its beginning.
  query: text({ about: 'what you want to do', max: 1_000_000, also: 'q' }),
  also,
  limit: count({ about: 'number of results', max: 200, alias: 'n' }),
  min_score: number({ about: 'hide results below this score' }),
  snippet: count({ about: 'length of each quoted passage, in characters', min: 40, max: 10_000 }),
  mode: choice(SEARCH_MODES, { about: 'by keyword, by meaning (dense) or both (hybrid)' }),
  ranking: choice(RANKINGS, { about: 'prd: the formula in docs/internals/ranking.md' }),
  as_of: text({ about: 'search as of a date, or an age', min: 1, max: 60 }),
  not: list(text({ about: 'a text', min: 1, max: 4000 }), {
    about: 'leave out sessions that contain a text',
    most: 20,
  }),
  exclude: list(sessionId, { about: 'leave out a session by its id', most: 50 }),
  outcome: choice(OUTCOMES, { about: 'only sessions that ended so' }),
  literal: flag({
    about: 'treat the whole query as keywords: "last week", -word and quotes have no special meaning',
  }),
  everywhere,
  mine,
  facets: flag({ about: 'count the sessions found by repository, agent, branch and month' }),
  ...filters,
};

type SearchInput = Input<typeof fields>;

export const search = operation({
  summary: 'find the session to fork from',
  effect: 'reads',
  fields,
  async run(open, input, caller) {
    const request = await searchRequest(open, input, caller);
    return searchByRequest(open, request, input.mode === undefined);
  },
  isEmpty: ({ results }) => results.length === 0,
  mayLack: mayLackSessions,
});

/** Whether what is not indexed may be what a search looked for: nothing that it found is likely. */
export function mayLackSessions({ fit }: SearchResponse): boolean {
  return fit?.level !== 'strong' && fit?.level !== 'likely';
}

/**
 * The search that a caller asks for: with the user's settings, without the conversation that asks, and with the preference for the
 * caller's project.
 * @throws SmartForkError USAGE
 */
export async function searchRequest(open: Open, input: SearchInput, caller: Caller): Promise<SearchRequest> {
  const { settings, machine } = open;
  const { query = '', also, not = [], exclude = [], outcome, literal = false, as_of, ...given } = input;
  if (query === '' && not.length === 0)
    throw new SmartForkError('USAGE', 'the query is empty', { hint: 'Describe what you want to do.' });
  const now = machine.now();
  const asOf = as_of === undefined ? null : await readTime(open, caller.nameOf('as_of'), as_of, 'end');
  const then = { ...machine, now: () => (asOf === null ? now : Date.parse(asOf)) };
  const filter: SessionFilter = await filterOf({ ...open, machine: then }, given, caller);
  if (asOf !== null) filter.asOf = asOf;
  if (caller.running.length > 0) filter.excludeSessionIds = caller.running;
  return {
    query,
    also,
    not,
    exclude,
    filter,
    literal,
    snippetLength: given.snippet,
    facets: given.facets,
    outcomes: outcome === undefined ? undefined : [outcome],
    mine: given.mine,
    limit: given.limit ?? settings.maxResults,
    minScore: given.min_score ?? settings.minScore,
    mode: given.mode ?? settings.mode,
    ranking: given.ranking ?? settings.ranking,
    prefer: await preferredProject(open, input, caller),
    isTyped: caller.isTyping,
    fromUnknownSession: caller.mayBeUnknown && caller.running.length === 0,
  };
}

/**
 * Searches. A mode that the user did not ask for in this search falls back to keywords if the model is missing, or is not the store's.
 * @param mayFallBack the mode comes from the settings
 */
export async function searchByRequest(
  open: Open,
  request: SearchRequest,
  mayFallBack: boolean,
): Promise<SearchResponse> {
  const parts = await opened(open);
  try {
    return await searchSessions(parts, request);
  } catch (error) {
    if (!mayFallBack || request.mode === 'keyword' || !isWithoutModel(error)) throw error;
    const response = await searchSessions(parts, { ...request, mode: 'keyword' });
    const { code, message, hint } = error;
    return {
      ...response,
      notices: [...response.notices, { code, message: `keyword only: ${message}`, hint }],
    };
  }
}

/** Whether a search failed because the model is missing, or is not the store's. */
export function isWithoutModel(error: unknown): error is SmartForkError {
  return (
    error instanceof SmartForkError && (error.code === 'MODEL_UNAVAILABLE' || error.code === 'MODEL_MISMATCH')
  );
}
