import { findSimilarWord } from '../../../domain/query/find-similar-word.ts';
import type { QueryWord } from '../../../domain/search/lexical.ts';
import type { Coverage, SessionFilter } from '../../../domain/search/search.ts';
import type { SearchResponse } from '../../../domain/search-result.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { countFilters } from '../count-filters.ts';

/** In how many sessions each word occurs, and what a word that occurs in none may have meant. */
export async function countSessions(
  store: PointStore,
  words: QueryWord[],
  coverage: Coverage,
): Promise<NonNullable<SearchResponse['words']>> {
  const of = words.map(({ stem }) => stem);
  const { frequencies } = await store.find({
    tokens: null,
    vector: null,
    filter: {},
    coverage,
    frequencies: { of, among: 'sessions' },
  });
  const counted = words.map(({ word, stem }) => ({ word, sessions: frequencies.get(stem) ?? 0 }));
  const unknown = counted.filter(({ sessions }) => sessions === 0).map(({ word }) => word);
  if (unknown.length === 0) return counted;
  const similar = await suggestSpelling(store, unknown);
  return counted.map((one) => {
    const meant = similar.get(one.word);
    return meant === undefined ? one : { ...one, similar: meant };
  });
}

/** Number of sessions that each filter matches, to explain an empty result. */
export async function explainFilters(
  store: PointStore,
  filter: SessionFilter,
  { matches, minScore = 0 }: { matches: number; minScore: number | undefined },
): Promise<Pick<SearchResponse, 'filters' | 'sessions'>> {
  const filters = await countFilters(store, filter);
  if (matches > 0 && minScore > 0)
    filters.push({ filter: 'min_score', value: String(minScore), sessions: 0, of: matches });
  return filters.length === 0 ? {} : { filters, sessions: (await store.count()).sessions };
}

/** Newer ones are likelier to be meant, and a server sends their whole records. */
const SESSIONS = 200;

/** Words of titles, repositories and branches that are spelled like words which occur nowhere, by those words. */
async function suggestSpelling(
  store: Pick<PointStore, 'list'>,
  unknown: string[],
): Promise<Map<string, string>> {
  const { sessions } = await store.list({}, SESSIONS);
  const vocabulary = new Map<string, number>();
  for (const { title, repo_name, branch } of sessions)
    for (const [word] of `${title} ${repo_name ?? ''} ${branch ?? ''}`.toLowerCase().matchAll(/\p{L}{4,}/gu))
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
  return new Map(
    unknown.flatMap((word) => {
      const similar = findSimilarWord(word, vocabulary);
      return similar === null ? [] : [[word, similar]];
    }),
  );
}
