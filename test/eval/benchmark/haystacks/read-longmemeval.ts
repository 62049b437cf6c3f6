import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Haystack } from './haystack.ts';

/** Reads `longmemeval_s.json`: 500 questions, each with a history of its own. Questions without an answer (`…_abs`) are left out, as its authors do for retrieval. */
export function readLongMemEval(path: string): Haystack[] {
  return z
    .array(Question)
    .parse(JSON.parse(readFileSync(path, 'utf8')))
    .filter(({ question_id }) => !question_id.endsWith('_abs'))
    .map((question) => ({
      name: `LongMemEval ${question.question_id}`,
      sessions: sessionsOf(question),
      questions: [
        {
          id: question.question_id,
          sets: ['LongMemEval', `LongMemEval, ${question.question_type}`],
          text: question.question,
          sessions: question.answer_session_ids,
          time: timeOf(question.question_date),
        },
      ],
    }));
}

const Question = z.object({
  question_id: z.string(),
  question_type: z.string(),
  question: z.string(),
  question_date: z.string(),
  haystack_dates: z.array(z.string()),
  haystack_session_ids: z.array(z.string()),
  haystack_sessions: z.array(z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }))),
  answer_session_ids: z.array(z.string()),
});

/** A history may repeat a session; it is kept once. */
function sessionsOf(question: z.infer<typeof Question>): Haystack['sessions'] {
  const sessions = question.haystack_session_ids.map((id, index) => ({
    id,
    time: timeOf(question.haystack_dates[index] ?? ''),
    turns: (question.haystack_sessions[index] ?? []).map(({ role, content }) => ({ role, text: content })),
  }));
  return [...new Map(sessions.map((session) => [session.id, session])).values()];
}

/** `2023/05/20 (Sat) 02:36` */
function timeOf(date: string): number | null {
  const [, day, time] = /^(\d{4}\/\d{2}\/\d{2})\D*(\d{2}:\d{2})/.exec(date) ?? [];
  return day === undefined || time === undefined
    ? null
    : Date.parse(`${day.replaceAll('/', '-')}T${time}:00Z`);
}
