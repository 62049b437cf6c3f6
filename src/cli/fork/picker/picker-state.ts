import { type ForkOption, FRESH, forkOptions } from '../../../domain/search/fork-options.ts';
import type { SearchResult } from '../../../domain/search-result.ts';

/** Which sessions are searched. */
export type Scope = 'here' | 'everywhere';

/** What the user sees and has typed; only `press` and `withResults` change it. */
export interface PickerState {
  /** The numbered choices after a search, or the list, in which every key searches. */
  page: 'choices' | 'list';
  /** What is searched for. */
  text: string;
  /** Whether `results` are those of `text`. */
  settled: boolean;
  results: SearchResult[];
  /** Whether a larger search may find more. */
  more: boolean;
  /** Null if the scope cannot be switched. */
  scope: Scope | null;
  /** Index into `itemsOf`. */
  cursor: number;
  /** First line shown of the preview, or of the session that is read. */
  scroll: number;
  /** Null unless the session in view fills the screen. */
  reading: Reading | null;
  /** The session highlighted last, which "Read this session first" refers to. */
  about: string | null;
  /** The choices from which the list was opened. */
  choices: Pick<PickerState, 'text' | 'results' | 'more' | 'scope'> | null;
}

interface Reading {
  /** A text to look for in the session; empty: the words of the query. */
  find: string;
  /** Whether it is being typed. */
  isTyping: boolean;
}

export type Item =
  | Exclude<ForkOption<SearchResult>, { kind: 'session' }>
  /** Without a digit on the list. */
  | { kind: 'session'; digit: number | null; result: SearchResult }
  | { kind: 'leave'; name: string }
  | { kind: 'chat' };

/** How a session is continued. */
export type Way = 'fork' | 'fork-at-turn' | 'resume' | 'copy';

/** What the user decided. */
export type Picked =
  /** `way` is null if the user could not choose. */
  | { kind: 'session'; result: SearchResult; way: Way | null }
  | { kind: 'fresh' }
  /** Another search, for which the user must be asked. */
  | { kind: 'refine' }
  | { kind: 'cancel' };

type Start = Pick<PickerState, 'page' | 'text' | 'more' | 'scope'>;

export function startState(results: SearchResult[], start: Start): PickerState {
  const about = results[0]?.session_id ?? null;
  return { ...start, settled: true, results, cursor: 0, scroll: 0, reading: null, about, choices: null };
}

/** The items on the screen. */
export function itemsOf({ page, results, more }: PickerState): Item[] {
  if (page === 'list')
    return [
      ...results.map((result): Item => ({ kind: 'session', digit: null, result })),
      { kind: 'leave', name: FRESH },
    ];
  const options = forkOptions(results);
  const rest = more && options.every(({ kind }) => kind !== 'more');
  return [
    ...options,
    ...(rest ? [{ kind: 'more' as const, name: 'More …', count: 0 }] : []),
    ...(results.length === 0 ? [] : [{ kind: 'chat' as const }]),
  ];
}

/** The session shown in the preview; null if none is chosen. */
export function resultInView(state: PickerState): SearchResult | null {
  const item = itemsOf(state)[state.cursor];
  if (item?.kind === 'session') return item.result;
  return item?.kind === 'chat' ? aboutResult(state) : null;
}

/** The session that "Read this session first" means. */
export function aboutResult({ results, about }: PickerState): SearchResult | null {
  return results.find(({ session_id }) => session_id === about) ?? results[0] ?? null;
}

/** Takes what was found for the text. The same session stays highlighted, unless it was only the first. */
export function withResults(
  state: PickerState,
  results: SearchResult[],
  change: Pick<PickerState, 'more' | 'scope'>,
): PickerState {
  const before = itemsOf(state)[state.cursor];
  const next = { ...state, ...change, results, settled: true };
  const isMoved = state.cursor > 0;
  const cursor = itemsOf(next).findIndex((item) =>
    item.kind === 'session' && before?.kind === 'session'
      ? isMoved && item.result.session_id === before.result.session_id
      : isMoved && item.kind === before?.kind,
  );
  const shown = { ...next, cursor: Math.max(0, cursor) };
  const about = resultInView(shown) ?? aboutResult(next);
  return { ...shown, about: about?.session_id ?? null };
}
