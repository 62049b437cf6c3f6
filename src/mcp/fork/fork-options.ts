import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { timeAgo } from '../../domain/text/time-text.ts';
import type { ForkResult } from './fork-result.ts';

/** A choice offered to the user in a form. */
export interface ForkOption {
  kind: 'session' | 'fresh' | 'refine';
  /** A session's whole title, its certainty, date and repository. */
  label: string;
  session_id: string | null;
}

const OFFERED_SESSIONS = 3;
/** If the first is no strong match, the right one is often among the next. */
const OFFERED_IF_UNSURE = 5;
export const SEARCH_AGAIN = 'Search for something else';

/** The best sessions, a fresh start, and another search. */
export function forkOptions(results: ForkResult[], nowMs: number): ForkOption[] {
  const offered = results[0]?.strength === 'strong' ? OFFERED_SESSIONS : OFFERED_IF_UNSURE;
  return [
    ...results.slice(0, offered).map(
      (result): ForkOption => ({
        kind: 'session',
        label: resultLine(result, nowMs),
        session_id: result.session_id,
      }),
    ),
    { kind: 'fresh', label: 'Start a fresh session', session_id: null },
    { kind: 'refine', label: SEARCH_AGAIN, session_id: null },
  ];
}

/** `Mend the login · strong · 2 days ago · widgets`. */
export function resultLine(result: ForkResult, nowMs: number): string {
  const { title, strength, date, repo_name } = result;
  const facts = [strength ?? '', date === null ? '' : timeAgo(date, nowMs), sanitizeLine(repo_name)];
  return [sanitizeLine(title) || '(untitled)', ...facts.filter(Boolean)].join(' · ');
}
