import type { SearchResponse } from '../../domain/search-result.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';

/** The query, or the first phrasing of --also without one. Empty with --not alone. */
export function queryText({ query, also = [] }: SearchResponse): string {
  return sanitizeLine([query, ...also].find((text) => text.trim() !== '') ?? '');
}
