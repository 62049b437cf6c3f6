import { tellOnceADay } from '../../app/search/results/tell-once-a-day.ts';
import { type SearchRequest, searchSessions } from '../../app/search/search-sessions.ts';
import { idsIn, searchInServer } from '../../compose/serve/ask-server.ts';
import { comesFirst, withOutage } from '../../domain/outage.ts';
import { isWeak } from '../../domain/search/certainty.ts';
import type { SearchResponse } from '../../domain/search-result.ts';
import { completeAnswer } from '../../operations/complete-answer.ts';
import { type Given, readInput } from '../../operations/fields.ts';
import {
  isWithoutModel,
  mayLackSessions,
  search as operation,
  searchByRequest,
  searchRequest,
} from '../../operations/search/search.ts';
import { ensureIndexed, indexFirst, isIndexed } from '../index/ensure-indexed.ts';
import { openHere } from '../operation/open-here.ts';
import type { CommandContext } from '../run-command.ts';
import { tellNotices } from '../shared/notices.ts';
import { printIds } from '../shared/print-ids.ts';
import { withNames, withShortIds } from '../shared/short-ids.ts';
import { waitFor } from '../terminal/progress/spinner.ts';
import { version } from '../version.ts';
import { renderSearch, worthSaying } from './render-search.ts';

export type SearchGiven = Given<typeof operation.fields>;

interface HowToPrint {
  explain?: boolean;
  json?: boolean;
  ids?: boolean;
}

export async function runSearch(
  context: CommandContext,
  given: SearchGiven,
  { explain = false, json, ids }: HowToPrint,
): Promise<void> {
  const { parts, terminal } = context;
  const answer = await searchIndexed(context, given);
  if (answer === null) return;
  const { response, knownIds, asOf } = answer;
  if (json === true) return terminal.out(JSON.stringify(response));
  if (ids === true) {
    tellNotices(response.notices.filter(comesFirst), terminal);
    return printIds(response.results, terminal);
  }
  if (response.results.length === 0 && parts.outage() === null && !(await isIndexed(context)))
    return terminal.out('Nothing is indexed yet. After a session with an agent, run smart-fork index.');
  const said = worthSaying(response);
  const notices = isWeak(response.fit) ? said : tellOnceADay(said, parts.searchNotes, parts.machine.now());
  const nowMs = asOf === undefined ? parts.machine.now() : Date.parse(asOf);
  const look = await withShortIds(terminal, parts, idsIn(response), knownIds);
  const named = await withNames(look, parts, mentionedIn(response));
  terminal.out(
    renderSearch({ ...response, notices }, named, { nowMs, explain, whole: given.snippet !== undefined }),
  );
}

/** The sessions beside the results: their origins and families. */
function mentionedIn({ results }: SearchResponse): string[] {
  return results.flatMap(({ parent_session_id, family = [] }) => [parent_session_id ?? [], family].flat());
}

interface Answer {
  response: SearchResponse;
  /** The time of the search, ISO 8601, if it is not now. */
  asOf?: string;
  /** Short ids, if this machine's server answered. */
  knownIds?: Record<string, string>;
}

/** Null if the user declined to index. */
async function searchIndexed(context: CommandContext, given: SearchGiven): Promise<Answer | null> {
  const { terminal, config } = context;
  const { open, caller } = openHere(context);
  const input = readInput(operation.fields, given, caller.nameOf);
  // Made again after indexing: the host of `owner/name` is known only to an index.
  const request = () => searchRequest(open, input, caller);
  const first = await request();
  const asOf = first.filter?.asOf;
  const asked = searchInServer(config, version(), first).catch((error: unknown) => {
    // `searchByRequest` falls back to keywords.
    if (input.mode === undefined && isWithoutModel(error)) return null;
    throw error;
  });
  const warm = await waitFor(asked, { terminal, text: 'Searching' });
  const complete = async (found: SearchResponse) => {
    const shape = { isEmpty: isEmpty(found), mayLack: mayLackSessions(found) };
    const filter = async () => (await request()).filter ?? {};
    return completeAnswer(found, shape, open, filter, input.repo, caller.running);
  };
  if (warm !== null && warm.found.results.length > 0)
    return { response: await complete(warm.found), knownIds: warm.short_ids, asOf };
  const work = async () => searchByRequest(open, await request(), input.mode === undefined);
  const response = await searchHere(context, work, complete);
  return response === null ? null : { response, asOf };
}

/** With a Qdrant server, searches before it counts, because a result shows that something is indexed. */
async function searchHere(
  context: CommandContext,
  work: () => Promise<SearchResponse>,
  complete: (response: SearchResponse) => Promise<SearchResponse>,
): Promise<SearchResponse | null> {
  const find = () => waitFor(work(), { terminal: context.terminal, text: 'Searching' });
  if (context.config.qdrant === null) return (await ensureIndexed(context)) ? find().then(complete) : null;
  const response = await find();
  const isThere = response.results.length > 0 || (await isIndexed(context));
  if (isThere) return complete(response);
  return (await indexFirst(context)) ? find().then(complete) : null;
}

function isEmpty({ results }: SearchResponse): boolean {
  return results.length === 0;
}

/** Searches in this machine's server if one is running, because it has the store open and the model loaded. */
export async function search(
  { config, parts }: CommandContext,
  request: SearchRequest,
): Promise<SearchResponse> {
  const warm = await searchInServer(config, version(), request);
  const found = warm?.found ?? (await searchSessions({ ...parts, store: await parts.store() }, request));
  return withOutage(found, isEmpty(found), parts.outage());
}
