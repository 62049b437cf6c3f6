import { change, parameter } from '../route/route.ts';

/** Filters of a search, named in the URL like the command's options. */
const FILTERS = ['repo', 'agent', 'branch', 'machine', 'since', 'until', 'outcome', 'tag', 'file'] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = Partial<Record<FilterName, string>>;

export function currentFilters(): Filters {
  const entries = FILTERS.map((name) => [name, parameter(name)]).filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}

export function removeFilters(): void {
  change({ ...Object.fromEntries(FILTERS.map((name) => [name, null])), sel: null, pages: null });
}
