import type { SessionPayload } from '../../domain/point/point.ts';
import { isSameCommit } from '../../domain/session/commit-hash.ts';
import type { Commit, SessionRecord } from '../../domain/session/session.ts';
import type { Turn } from '../sessions/conversation/turn.ts';
import type { ReadDependencies } from './retrieve-session.ts';
import { viewSession } from './view-session.ts';

/** What two sessions have in common, and what only the first and the second have. */
export interface Shared<T> {
  both: T[];
  first: T[];
  second: T[];
}

export interface Question {
  /** From 1. */
  turn: number;
  text: string;
}

export interface Comparison {
  sessions: [SessionRecord, SessionRecord];
  /** Turns that both begin with: one is a fork of the other, or both are forks of a third. */
  common_turns: number;
  /** The user's prompts, without those of the common turns. */
  asked: { first: Question[]; second: Question[] };
  files: Shared<string>;
  commits: Shared<Commit>;
}

/** Compares what two sessions were asked, changed and committed. */
export async function compareSessions(
  deps: ReadDependencies,
  first: SessionPayload,
  second: SessionPayload,
): Promise<Comparison> {
  const [one, other] = [await viewSession(deps, first), await viewSession(deps, second)];
  const common = commonTurns(one.turns, other.turns);
  return {
    sessions: [one.session, other.session],
    common_turns: common,
    asked: { first: questions(one.turns.slice(common)), second: questions(other.turns.slice(common)) },
    files: shared(first.files_touched, second.files_touched, (a, b) => a === b),
    commits: shared(first.commits, second.commits, (a, b) => isSameCommit(a.hash, b.hash)),
  };
}

function commonTurns(one: Turn[], other: Turn[]): number {
  const end = one.findIndex(
    ({ user, timestamp }, at) => user !== other[at]?.user || timestamp !== other[at]?.timestamp,
  );
  return end < 0 ? one.length : end;
}

const LONGEST_QUESTION = 300;

function questions(turns: Turn[]): Question[] {
  return turns.flatMap(({ index, user }) => {
    const text = user.replace(/\s+/g, ' ').trim();
    return text === '' ? [] : [{ turn: index + 1, text: text.slice(0, LONGEST_QUESTION).toWellFormed() }];
  });
}

function shared<T>(first: T[], second: T[], same: (a: T, b: T) => boolean): Shared<T> {
  const isIn = (items: T[]) => (item: T) => items.some((one) => same(item, one));
  return {
    both: first.filter(isIn(second)),
    first: first.filter((item) => !isIn(second)(item)),
    second: second.filter((item) => !isIn(first)(item)),
  };
}
