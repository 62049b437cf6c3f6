import { change, parameter } from '../route/route.ts';

/** Filters of a search, named in the URL like the command's options. */
const FILTERS = [
  'repo',
  'agent',
  'branch',
  'machine',
  'since',
  'until',
  'outcome',
  'tag',
  'file',
  'lang',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = Partial<Record<FilterName, string>>;

export function currentFilters(): Filters {
  const entries = FILTERS.map((name) => [name, parameter(name)]).filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}

/** What makes the list of results, besides the query: sessions opened from the list keep it, because it stands beside them. */
export function currentList(): Record<string, string> {
  const others = ['everywhere', 'literal', 'pages'].map((name) => [name, parameter(name)]);
  return { ...currentFilters(), ...Object.fromEntries(others) };
}

export function removeFilters(): void {
  change({ ...Object.fromEntries(FILTERS.map((name) => [name, null])), sel: null, pages: null });
}
