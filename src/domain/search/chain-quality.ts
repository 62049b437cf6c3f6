import type { Outcome } from '../session/session.ts';

/** What a session's worth as a starting point is told by. */
export interface SessionOutcome {
  outcome: Outcome;
  /** Messages of its own: what it copied from its parent does not count. */
  messageCount: number;
  /** Whether the agent had the last word; null when that is not known. */
  answered: boolean | null;
  /** How the last run of tests in it ended; null when there was none, or it cannot be told. */
  tests: 'passed' | 'failed' | null;
}

/** A fork that went on for longer than this was worked in. */
const LONG_MESSAGES = 20;

/**
 * Whether a fork came to something: more than 20 messages, not left with a question open, and files changed, commits
 * made or tests passing at its end.
 */
export function forkSucceeded({ outcome, messageCount, answered, tests }: SessionOutcome): boolean {
  const came = outcome === 'committed' || outcome === 'edited' || tests === 'passed';
  return messageCount > LONG_MESSAGES && answered !== false && came;
}

/**
 * How good a session has been to start from, 0 to 1: the share of its forks that succeeded, as the requirements document
 * has it; without forks, what it came to itself (the document says 0.5 for all of them). Shown, and not part of the ranking.
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
