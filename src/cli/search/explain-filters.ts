import { countFilters } from '../../app/search/count-filters.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { filterLines } from './no-result-lines.ts';

/** How many sessions each filter matches; empty without filters. */
export async function explainFilters(store: PointStore, filter: SessionFilter, look: Look): Promise<string> {
  const filters = await countFilters(store, filter);
  const { sessions } = await store.count();
  return filterLines({ filters, sessions }, createInk(look)).slice(1).join('\n');
}
