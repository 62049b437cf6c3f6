import type { MemoryFilter } from '../../../domain/memory/memory-search.ts';
import type { Wanted } from '../../../domain/memory/recall/rank-memory.ts';
import {
  asksForNewest,
  type KindsRead,
  NO_KINDS,
  readKinds,
} from '../../../domain/memory/recall/read-kinds.ts';
import { contentWords } from '../../../domain/search/coverage.ts';
import type { QueryWord } from '../../../domain/search/lexical.ts';
import { LONGEST_QUERY, readPhrasings, wordsOfPhrasing } from '../../../domain/search/phrasings.ts';
import type { IdeaKind } from '../../../domain/session/ideas.ts';
import { eachSession, type PointStore } from '../../../ports/point-store.ts';
import type { PreferredRepository } from '../../search/repository-filter.ts';
import type { SearchDependencies, SearchRequest } from '../../search/search-sessions.ts';
import { type Said, understandRequest } from '../../search/understand/understand-request.ts';
import type { CommitDependencies } from '../commits-since.ts';
import { findEntities } from '../find-entities.ts';

export type RecallDependencies = SearchDependencies & Pick<CommitDependencies, 'git'>;

export interface RecallRequest
  extends Pick<SearchRequest, 'query' | 'also' | 'filter' | 'literal' | 'mine' | 'prefer'> {
  /** Only these kinds of ideas. */
  kinds?: IdeaKind[];
  /** Only open ideas. */
  open?: boolean;
  /** Maximum number of lines. */
  limit?: number;
}

export type QuestionDependencies = RecallDependencies & { store: PointStore };

export interface Question {
  query: string;
  /** Its further phrasings, and the words of each. */
  also: string[];
  guessed: QueryWord[][];
  said: Said;
  kinds: KindsRead;
  /** The question without the words that state filters and kinds. */
  text: string;
  words: QueryWord[];
  entities: string[];
  memory: MemoryFilter;
  wanted: Wanted;
  /** Only ideas are wanted. */
  onlyIdeas: boolean;
  prefer: PreferredRepository | undefined;
}

/** Reads filters, kinds of ideas and names out of a question. */
export async function understandQuestion(
  deps: QuestionDependencies,
  request: RecallRequest,
): Promise<Question> {
  const query = request.query.slice(0, LONGEST_QUERY).toWellFormed();
  const also = readPhrasings(query, request.also ?? []);
  const now = deps.machine.now();
  const literal = request.literal === true;
  const asked = { query, filter: request.filter ?? {}, literal, mine: request.mine };
  const said = await withOutcomes(
    deps.store,
    await understandRequest({ ...deps, ...deps.searchAids }, asked, now),
  );
  const kinds = literal ? NO_KINDS : readKinds(said.text);
  const text = withoutKinds(said.text, kinds);
  const isTelling = (entity: string) =>
    contentWords(deps.tokenizer.words(entity.slice(entity.indexOf(':') + 1))).length > 0;
  const wanted = { kinds: request.kinds ?? kinds.kinds, open: request.open ?? kinds.open };
  return {
    query,
    also,
    guessed: also.map((one) => wordsOfPhrasing(deps.tokenizer, one)),
    said,
    kinds,
    text,
    words: contentWords(deps.tokenizer.words(text)),
    entities: literal ? [] : (await findEntities(deps.store, text)).filter(isTelling),
    memory: memoryFilter(said, request),
    wanted: { ...wanted, newest: asksForNewest(query), now },
    prefer: said.filter.repo === undefined ? request.prefer : undefined,
    onlyIdeas: request.kinds !== undefined || request.open !== undefined,
  };
}

/** Stores do not index outcomes, so sessions are read; older ones are left out. */
const MAX_WITH_OUTCOME = 1000;

/** Restricts the filter to sessions with the outcomes that the question says. */
export async function withOutcomes(store: PointStore, said: Said): Promise<Said> {
  const { filter, outcomes } = said;
  if (outcomes === null) return said;
  const sessionIds: string[] = [];
  for await (const { session_id, outcome } of eachSession(store, filter, MAX_WITH_OUTCOME))
    if (outcomes.includes(outcome)) sessionIds.push(session_id);
  return { ...said, filter: { ...filter, sessionIds } };
}

export function memoryFilter(said: Said, { kinds, open }: RecallRequest): MemoryFilter {
  const { since, until, ...sessions } = said.filter;
  return { sessions, since, until, kinds, open };
}

function withoutKinds(text: string, { mention }: KindsRead): string {
  if (mention === null) return text;
  return `${text.slice(0, mention.start)} ${text.slice(mention.end)}`
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:?]+|(?<![\s,;:?])[\s,;:?]+$/g, '');
}
