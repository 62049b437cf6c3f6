import type * as z from 'zod';
import type { notice } from './json/notice.ts';
import type { countedWord, searchResponse, searchResult } from './json/search.ts';

export type SearchResponse = z.infer<typeof searchResponse>;
export type SearchResult = z.infer<typeof searchResult>;
export type ScoreParts = SearchResult['scores'];
export type CountedWord = z.infer<typeof countedWord>;
export type Facets = NonNullable<SearchResponse['facets']>;
/** `text` names them by their ranks. */
export type FoundTogether = NonNullable<SearchResponse['together']>;
export type FilterCount = NonNullable<SearchResponse['filters']>[number];
export type Notice = z.infer<typeof notice>;
