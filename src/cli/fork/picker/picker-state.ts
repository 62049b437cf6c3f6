import type { SearchResult } from '../../../domain/search-result.ts';

/** Which sessions are searched. */
export type Scope = 'here' | 'everywhere';

/** What the user sees and has typed; only `press` changes it. */
export interface PickerState {
  results: SearchResult[];
  /** Whether a larger search may find more. */
  more: boolean;
  /** Null if the scope cannot be switched. */
  scope: Scope | null;
  /** Index into `itemsOf`. */
  cursor: number;
  filter: string;
  /** Whether the session in view fills the screen. */
  reading: boolean;
  /** First line shown of the preview. */
  scroll: number;
  /** The result highlighted last, which "Chat about this" refers to. */
  about: string | null;
}

export type Item =
  | { kind: 'result'; result: SearchResult }
  | { kind: 'fresh' }
  /** Another search with the text typed so far; without text, the user is asked for it. */
  | { kind: 'refine'; text: string }
  | { kind: 'chat' };

/** How a session is continued. */
export type Way = 'fork' | 'fork-at-turn' | 'resume' | 'copy';

/** What the user decided. */
export type Picked =
  /** `way` is null if the user could not choose. */
  | { kind: 'session'; result: SearchResult; way: Way | null }
  | { kind: 'fresh' }
  | { kind: 'refine'; text: string }
  | { kind: 'cancel' };

export function startState(
  results: SearchResult[],
  { more, scope }: { more: boolean; scope: Scope | null },
): PickerState {
  const about = results[0]?.session_id ?? null;
  return { results, more, scope, cursor: 0, filter: '', reading: false, scroll: 0, about };
}

/** The items of the list: the results that match the filter, then the fixed items. */
export function itemsOf({ results, filter }: PickerState): Item[] {
  const shown = results
    .filter((result) => passes(result, filter))
    .map((result): Item => ({ kind: 'result', result }));
  const refine: Item = { kind: 'refine', text: filter.trim() };
  const fresh: Item = { kind: 'fresh' };
  return [...shown, ...(refine.text === '' ? [fresh, refine] : [refine, fresh]), { kind: 'chat' }];
}

/** The result shown in the preview. */
export function resultInView(state: PickerState): SearchResult | null {
  const item = itemsOf(state)[state.cursor];
  if (item?.kind === 'result') return item.result;
  return state.results.find(({ session_id }) => session_id === state.about) ?? state.results[0] ?? null;
}

/** Replaces the results and keeps the same item highlighted. */
export function withResults(
  state: PickerState,
  results: SearchResult[],
  change: Partial<Pick<PickerState, 'more' | 'scope'>>,
): PickerState {
  const before = itemsOf(state)[state.cursor];
  const next = { ...state, ...change, results };
  const items = itemsOf(next);
  // If nothing matched the filter before, a new match is what the user is looking for.
  const isNew = state.filter !== '' && before?.kind !== 'result';
  const cursor = isNew
    ? 0
    : items.findIndex((item) =>
        item.kind === 'result' && before?.kind === 'result'
          ? item.result.session_id === before.result.session_id
          : item.kind === before?.kind,
      );
  const about = results.some(({ session_id }) => session_id === state.about) ? state.about : null;
  return { ...next, cursor: Math.max(0, cursor), about: about ?? results[0]?.session_id ?? null };
}

/** Whether every word of the filter occurs in the result. */
function passes(result: SearchResult, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { title, repo_name, branch, session_id, agent, machine, snippet, tags, markers, outcome, note } =
    result;
  const known = [
    title,
    repo_name,
    branch,
    session_id,
    agent,
    machine,
    snippet,
    outcome,
    note,
    ...tags,
    ...markers,
  ];
  const text = known.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}
