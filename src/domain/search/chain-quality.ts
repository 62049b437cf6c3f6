import type { Outcome } from '../session/session.ts';

/** The facts that decide how good a session is to fork from. */
export interface SessionOutcome {
  outcome: Outcome;
  /** Excludes messages copied from its parent. */
  messageCount: number;
  /** Whether the agent had the last word; null if unknown. */
  answered: boolean | null;
  /** Result of its last test run; null if unknown or if there was none. */
  tests: 'passed' | 'failed' | null;
}

const LONG_MESSAGES = 20;

/**
 * Whether a fork led somewhere: more than 20 messages, no question left open, and at the end changed files, commits or passing
 * tests.
 */
export function forkSucceeded({ outcome, messageCount, answered, tests }: SessionOutcome): boolean {
  const came = outcome === 'committed' || outcome === 'edited' || tests === 'passed';
  return messageCount > LONG_MESSAGES && answered !== false && came;
}

/**
 * How good a session is to fork from, 0 to 1: the share of its forks that succeeded, as in the requirements document. A session
 * without forks is judged by its own outcome (the document gives all of them 0.5). Shown, but not used for ranking.
 */
export function chainQuality(session: SessionOutcome, forks: SessionOutcome[]): number {
  if (forks.length === 0) return ownQuality(session);
  return forks.filter(forkSucceeded).length / forks.length;
}

const OWN: Record<Outcome, number> = { committed: 0.9, edited: 0.7, discussed: 0.5, empty: 0 };

function ownQuality({ outcome, tests }: SessionOutcome): number {
  if (outcome === 'empty' || tests === null) return OWN[outcome];
  return OWN[outcome] + (tests === 'passed' ? 0.1 : -0.2);
}
