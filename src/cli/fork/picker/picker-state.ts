import type { SearchResult } from '../../../domain/search-result.ts';

/** What the user sees and has typed; changed by `press` only. */
export interface PickerState {
  results: SearchResult[];
  /** Whether a larger search may find more. */
  more: boolean;
  /** Index into `itemsOf`. */
  cursor: number;
  filter: string;
  /** Whether the user is typing into the filter. */
  typing: boolean;
  view: 'list' | 'preview' | 'story';
  /** First line shown of the preview or the story. */
  scroll: number;
  /** The result highlighted last, which "Chat about this" is about. */
  about: string | null;
}

export type Item =
  | { kind: 'result'; result: SearchResult }
  | { kind: 'fresh' }
  | { kind: 'refine' }
  | { kind: 'chat' };

/** What the user decided. */
export type Picked =
  | { kind: 'session'; result: SearchResult }
  | { kind: 'fresh' }
  | { kind: 'refine' }
  | { kind: 'cancel' };

export function startState(results: SearchResult[], more: boolean): PickerState {
  const about = results[0]?.session_id ?? null;
  return { results, more, cursor: 0, filter: '', typing: false, view: 'list', scroll: 0, about };
}

/** The items of the list: the results that pass the filter, then the fixed ones. */
export function itemsOf({ results, filter }: PickerState): Item[] {
  const shown = results
    .filter((result) => passes(result, filter))
    .map((result): Item => ({ kind: 'result', result }));
  return [...shown, { kind: 'fresh' }, { kind: 'refine' }, { kind: 'chat' }];
}

/** The result shown by the preview and the story. */
export function resultInView(state: PickerState): SearchResult | null {
  const item = itemsOf(state)[state.cursor];
  if (item?.kind === 'result') return item.result;
  return state.results.find(({ session_id }) => session_id === state.about) ?? state.results[0] ?? null;
}

/** The state with other results, and the same item highlighted. */
export function withResults(state: PickerState, results: SearchResult[], more: boolean): PickerState {
  const before = itemsOf(state)[state.cursor];
  const next = { ...state, results, more };
  const items = itemsOf(next);
  const cursor = items.findIndex((item) =>
    item.kind === 'result' && before?.kind === 'result'
      ? item.result.session_id === before.result.session_id
      : item.kind === before?.kind,
  );
  return { ...next, cursor: Math.max(0, cursor) };
}

/** Whether every word of the filter occurs in the result. */
function passes(result: SearchResult, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { title, repo_name, branch, session_id, agent, machine, snippet, tags, markers, outcome } = result;
  const known = [title, repo_name, branch, session_id, agent, machine, snippet, outcome, ...tags, ...markers];
  const text = known.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
