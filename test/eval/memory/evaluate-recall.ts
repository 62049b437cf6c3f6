import { recall } from '../../../src/app/memory/recall/recall.ts';
import { searchSessions } from '../../../src/app/search/search-sessions.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import type { Half, MemoryQuestion } from './memory-sets.ts';

/** Rank of the first answer, from 1; 0: not among the first ten. */
export interface AskedQuestion {
  question: MemoryQuestion;
  /** The first line of `recall` from a turn that answers. */
  recall: number;
  /** The same, for ideas only. */
  ideas: number;
  /** The first session of plain search that answers, and the first whose passage is from a turn that answers. */
  session: number;
  turn: number;
  /** Whether `recall` says that the lines may answer. */
  fits: boolean;
}

export interface RecallScores {
  half: Half;
  questions: number;
  /** Shares of questions with the answer among the first three. */
  recall: number;
  session: number;
  turn: number;
  /** Share of questions for which `recall` says that past sessions may not say. */
  doubted: number;
}

/** Share of unanswerable questions for which `recall` finds nothing, or says that past sessions may not say. */
export async function shareDoubted(parts: Parts, subjects: string[]): Promise<number> {
  const deps = { ...parts, store: await parts.store() };
  let doubted = 0;
  for (const subject of subjects) {
    const { fits, groups } = await recall(deps, { query: `what did we decide about ${subject}` });
    if (!fits || groups.length === 0) doubted += 1;
  }
  return doubted / Math.max(1, subjects.length);
}

/** Asks every question with `recall` and with plain search. */
export async function askQuestions(
  parts: Parts,
  questions: MemoryQuestion[],
  mode: 'hybrid' | 'keyword',
): Promise<AskedQuestion[]> {
  const deps = { ...parts, store: await parts.store() };
  const asked: AskedQuestion[] = [];
  for (const question of questions) {
    const isAnswer = (session: string, turn: number | null) =>
      question.answers.some((one) => one.session === session && one.turn === turn);
    const answer = await recall(deps, { query: question.question, limit: 10 });
    const lines = [
      ...answer.answers.map(({ session, turn }) => ({ type: 'answer', session: session.session_id, turn })),
      ...answer.groups.flatMap(({ session, lines: own }) =>
        own.map(({ type, turn }) => ({ type, session: session.session_id, turn })),
      ),
    ];
    const { results } = await searchSessions(deps, { query: question.question, limit: 10, mode });
    const place = (hits: boolean[]) => hits.indexOf(true) + 1;
    asked.push({
      question,
      fits: answer.fits,
      recall: place(lines.map(({ session, turn }) => isAnswer(session, turn))),
      ideas: place(lines.map(({ type, session, turn }) => type === 'idea' && isAnswer(session, turn))),
      session: place(
        results.map(({ session_id }) => question.answers.some(({ session }) => session === session_id)),
      ),
      turn: place(results.map(({ session_id, match }) => isAnswer(session_id, match.turn))),
    });
  }
  return asked;
}

export function scoreQuestions(asked: AskedQuestion[]): RecallScores[] {
  return (['tuning', 'held-out'] as const).map((half) => {
    const own = asked.filter(({ question }) => question.half === half);
    const share = (place: (one: AskedQuestion) => number) =>
      own.filter((one) => place(one) >= 1 && place(one) <= 3).length / Math.max(1, own.length);
    return {
      half,
      questions: own.length,
      recall: share((one) => one.recall),
      session: share((one) => one.session),
      turn: share((one) => one.turn),
      doubted: own.filter(({ fits }) => !fits).length / Math.max(1, own.length),
    };
  });
}
