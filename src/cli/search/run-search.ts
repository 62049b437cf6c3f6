import { tellOnceADay } from '../../app/search/results/tell-once-a-day.ts';
import { type SearchRequest, searchSessions } from '../../app/search/search-sessions.ts';
import { idsIn, searchInServer } from '../../compose/serve/ask-server.ts';
import { runningSessions } from '../../compose/sessions/running-sessions.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { nothingFits } from '../../domain/search/confidence.ts';
import { RANKINGS, SEARCH_MODES } from '../../domain/search/search.ts';
import type { SearchResponse } from '../../domain/search-result.ts';
import { parseTime } from '../../domain/text/parse-time.ts';
import { ensureIndexed, indexFirst, isIndexed } from '../index/ensure-indexed.ts';
import type { CommandContext } from '../run-command.ts';
import { type FilterArguments, filterOf } from '../shared/filter-options.ts';
import { printIds } from '../shared/print-ids.ts';
import { withShortIds } from '../shared/short-ids.ts';
import { waitFor } from '../terminal/progress/spinner.ts';
import { version } from '../version.ts';
import { preferredRepository } from './preferred-repository.ts';
import { renderSearch, worthSaying } from './render-search.ts';

export interface SearchOptions extends FilterArguments {
  query: string;
  also?: string[];
  limit?: number;
  minScore?: number;
  mode?: string;
  ranking?: string;
  asOf?: string;
  not?: string | string[];
  exclude?: string | string[];
  literal?: boolean;
  everywhere?: boolean;
  explain?: boolean;
  json?: boolean;
  ids?: boolean;
}

export async function runSearch(context: CommandContext, options: SearchOptions): Promise<void> {
  const { parts, terminal } = context;
  const request = await requestOf(context, options);
  // The host of `owner/name` is known only to an index.
  const answer = await searchIndexed(context, () => requestOf(context, options));
  if (answer === null) return;
  const { response, knownIds } = answer;
  if (options.json === true) return terminal.out(JSON.stringify(response));
  if (options.ids === true) return printIds(response.results, terminal);
  const said = worthSaying(response);
  const notices = nothingFits(response) ? said : tellOnceADay(said, parts.searchNotes, parts.machine.now());
  const nowMs = request.filter?.asOf === undefined ? parts.machine.now() : Date.parse(request.filter.asOf);
  const look = await withShortIds(terminal, parts, idsIn(response), knownIds);
  terminal.out(renderSearch({ ...response, notices }, look, { nowMs, explain: options.explain === true }));
}

interface Answer {
  response: SearchResponse;
  /** Short ids, if this machine's server answered. */
  knownIds?: Record<string, string>;
}

/** Null if the user declined to index. */
async function searchIndexed(
  context: CommandContext,
  request: () => Promise<SearchRequest>,
): Promise<Answer | null> {
  const asked = request().then((wanted) => searchInServer(context.config, version(), wanted));
  const warm = await waitFor(asked, { terminal: context.terminal, text: 'Searching' });
  if (warm !== null && warm.found.results.length > 0)
    return { response: warm.found, knownIds: warm.short_ids };
  const response = await searchHere(context, request);
  return response === null ? null : { response };
}

/** With a Qdrant server, searches before it counts, because a result shows that something is indexed. */
async function searchHere(
  context: CommandContext,
  request: () => Promise<SearchRequest>,
): Promise<SearchResponse | null> {
  const { parts, terminal } = context;
  const work = async () => searchSessions({ ...parts, store: await parts.store() }, await request());
  const find = () => waitFor(work(), { terminal, text: 'Searching' });
  if (context.config.qdrant === null) return (await ensureIndexed(context)) ? find() : null;
  const response = await find();
  const isThere = response.results.length > 0 || (await isIndexed(context));
  // The response already contains these notices.
  if (response.notices.length > 0) context.parts.notices();
  if (isThere) return response;
  return (await indexFirst(context)) ? find() : null;
}

/** Searches in this machine's server if one is running, because it has the store open and the model loaded. */
export async function search(
  { config, parts }: CommandContext,
  request: SearchRequest,
): Promise<SearchResponse> {
  const found = await searchInServer(config, version(), request);
  return found?.found ?? searchSessions({ ...parts, store: await parts.store() }, request);
}

async function requestOf(context: CommandContext, options: SearchOptions): Promise<SearchRequest> {
  const { config, parts, terminal } = context;
  const now = parts.machine.now();
  const { query, limit = config.search.maxResults, minScore = config.search.minScore } = options;
  const [not, exclude] = [listOf('--not', options.not), listOf('--exclude', options.exclude)];
  if (query.trim() === '' && not.length === 0)
    throw new SmartForkError('USAGE', 'the query is empty', { hint: 'Describe what you want to do.' });
  const asOf = options.asOf === undefined ? null : parseTime('--as-of', options.asOf, now, 'end');
  const then = { ...parts.machine, now: () => (asOf === null ? now : Date.parse(asOf)) };
  const filter = await filterOf(options, { ...parts, machine: then });
  if (asOf !== null) filter.asOf = asOf;
  const running = runningSessions(parts);
  if (running.length > 0) filter.excludeSessionIds = running;
  return {
    query,
    also: options.also,
    filter,
    limit,
    minScore,
    not,
    exclude,
    literal: options.literal ?? false,
    ...preferredRepository(context, options),
    mode: SEARCH_MODES.find((mode) => mode === options.mode) ?? config.search.mode,
    ranking: RANKINGS.find((ranking) => ranking === options.ranking) ?? config.search.ranking,
    // An agent's shell is not a terminal.
    fromUnknownSession: running.length === 0 && !terminal.interactive,
  };
}

/** yargs makes a list only of an option given several times. */
function listOf(option: string, value: string | string[] | undefined): string[] {
  const values = value === undefined ? [] : [value].flat();
  if (values.some((one) => one.trim() === '')) throw new SmartForkError('USAGE', `${option} needs a value`);
  return values;
}
