import { sanitizeLine } from '../text/sanitize.ts';
import { timeAgo } from '../text/time-text.ts';

/** What a choice needs to know of a session. */
interface Choosable {
  session_id: string;
  title: string;
  repo_name: string;
  /** 0 to 100; null in a list that is not a search. */
  certainty?: number | null;
  /** Of its last activity, ISO 8601. */
  date?: string | null;
}

/** A choice; its digit chooses it. */
export type ForkOption<T> =
  | { kind: 'session'; digit: number; result: T }
  | { kind: 'fresh' | 'refine'; digit: number; name: string; purpose: string }
  | { kind: 'more'; name: string; count: number };

export const FRESH = 'None - start fresh';
export const REFINE = 'Type something';

/** The sessions that have a number of their own. */
export const OFFERED = 3;

/** What the user can choose after a search, the same at every door: three sessions, a fresh start, other words, the other sessions. */
export function forkOptions<T>(results: readonly T[]): ForkOption<T>[] {
  const offered = results.slice(0, OFFERED);
  const others = results.length - offered.length;
  return [
    ...offered.map((result, at) => ({ kind: 'session' as const, digit: at + 1, result })),
    { kind: 'fresh', digit: offered.length + 1, name: FRESH, purpose: 'no prior context' },
    { kind: 'refine', digit: offered.length + 2, name: REFINE, purpose: 'search in other words' },
    ...(others > 0 ? [{ kind: 'more' as const, name: 'More …', count: others }] : []),
  ];
}

/** What every door says of a session beside its title: "8402b1ed", "2 weeks ago", "87%", "harbor-dashboard". */
export function optionFacts(
  { certainty = null, date = null, repo_name, session_id }: Choosable,
  { nowMs, shortId }: { nowMs: number; shortId(sessionId: string): string },
): string[] {
  return [
    shortId(sanitizeLine(session_id)),
    date === null ? '' : timeAgo(date, nowMs),
    certainty === null ? '' : certainty < 1 ? '<1%' : `${Math.round(certainty)}%`,
    sanitizeLine(repo_name),
  ].filter((fact) => fact !== '');
}

export function titleOf({ title }: { title: string }): string {
  return sanitizeLine(title) || '(untitled)';
}

/** A session's whole line: "Live token cards · 8402b1ed · 2 weeks ago · 87% · harbor-dashboard". */
export function optionLine(
  result: Choosable,
  context: { nowMs: number; shortId(sessionId: string): string },
): string {
  return [titleOf(result), ...optionFacts(result, context)].join(' · ');
}
