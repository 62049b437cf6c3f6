import { recentResults } from '../../app/search/recent-results.ts';
import { folderFilter } from '../../app/search/repository-filter.ts';
import type { SearchRequest } from '../../app/search/search-sessions.ts';
import { runningSessions } from '../../compose/sessions/running-sessions.ts';
import { shortIds } from '../../compose/sessions/short-ids.ts';
import { comesFirst } from '../../domain/outage.ts';
import { isWeak } from '../../domain/search/certainty.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { SearchResponse, SearchResult } from '../../domain/search-result.ts';
import { asksForCode } from '../../operations/complete-answer.ts';
import { mayLackSessions } from '../../operations/search/search.ts';
import type { CommandContext } from '../run-command.ts';
import { search } from '../search/run-search.ts';
import { tellNotices } from '../shared/notices.ts';
import type { Found } from './picker/picker.ts';
import type { Scope } from './picker/picker-state.ts';

export interface Finding {
  filter: SessionFilter;
  prefer?: SearchRequest['prefer'];
}

type Sessions = Pick<SearchResponse, 'results' | 'fit' | 'preferred'>;

/** Finds the sessions that the picker shows: the newest without a query, else what a search finds. */
export function sessionFinder(context: CommandContext, { filter, prefer }: Finding) {
  const { parts, config, terminal } = context;
  const { mode, ranking } = config.search;
  const folder = process.cwd();
  let isTold = false;
  const recent = async (within: SessionFilter, limit: number): Promise<Sessions> => ({
    results: await recentResults({ ...parts, store: await parts.store() }, within, limit),
  });
  const searched = async (
    query: string,
    within: SessionFilter,
    limit: number,
    isTyped: boolean,
  ): Promise<Sessions> => {
    const request = { query, filter: within, limit, mode, ranking, prefer, isTyped };
    const response = await search(context, request);
    // Later, the list is on the screen.
    if (!isTold) tellNotices([await lacking(response), response.notices.filter(comesFirst)].flat(), terminal);
    isTold = true;
    return response;
  };
  const lacking = async (response: SearchResponse) => {
    const again = asksForCode(filter, response);
    return (mayLackSessions(response) && (await parts.unindexed(runningSessions(parts), again))) || [];
  };
  return async (
    query: string,
    scope: Scope | null,
    { limit, isTyped }: { limit: number; isTyped: boolean },
  ): Promise<Found> => {
    const within = scope === 'here' ? { ...filter, repo: folderFilter(folder, parts.probe) } : filter;
    const asked = isTyped ? await withWholeWord(context, query) : query;
    const found = query === '' ? await recent(within, limit) : await searched(asked, within, limit, isTyped);
    const isFull = found.results.length === limit;
    const all =
      isTyped && query !== '' ? withTyped(found, query, (await recent(within, limit)).results) : found;
    const ids = all.results.flatMap(({ session_id, family = [] }) => [session_id, ...family]);
    return { ...all, more: isFull, shortId: await shortIds(parts, ids) };
  };
}

const LAST_WORD = /(?<=^|\s)[\p{L}\p{N}_]{2,40}$/u;
const MOST_WORDS = 4;

/** Completes the last word while it is being typed: a search knows only whole words. */
async function withWholeWord({ parts }: CommandContext, typed: string): Promise<string> {
  const letters = LAST_WORD.exec(typed)?.[0].toLowerCase();
  if (letters === undefined || !parts.localFile.exists()) return typed;
  const words = await (await parts.local()).wordsBeginningWith(letters, MOST_WORDS);
  return words.length === 0 || words.includes(letters)
    ? typed
    : typed.slice(0, -letters.length) + words.join(' ');
}

/**
 * Adds recent sessions that contain what is typed letter by letter: the last word may not be finished, and a search knows only whole
 * words. They come first if the search found nothing that fits.
 */
function withTyped(found: Sessions, typed: string, recent: SearchResult[]): Sessions {
  const known = new Set(found.results.map(({ session_id }) => session_id));
  const more = recent.filter((result) => !known.has(result.session_id) && contains(result, typed));
  const results = isWeak(found.fit) ? [...more, ...found.results] : [...found.results, ...more];
  return { ...found, results: results.map((result, at) => ({ ...result, rank: at + 1 })) };
}

/** Whether every word occurs in what the list says of a session. */
function contains(result: SearchResult, typed: string): boolean {
  const { title, repo_name, branch, session_id, agent, machine, tags, outcome, note } = result;
  const known = [title, repo_name, branch, session_id, agent, machine, outcome, note, ...tags];
  const text = known.join(' ').toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => text.includes(word));
}
