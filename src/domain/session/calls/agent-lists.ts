import { clip } from '../../text/clip.ts';
import type { AskedQuestion, TodoItem } from '../transcript-event.ts';

/** Limits for lists and texts: nobody asks a hundred questions, and a plan's beginning says what it is about. */
const MAX_QUESTIONS = 12;
const MAX_OPTIONS = 12;
const MAX_TODOS = 100;
const LONGEST_TEXT = 600;
const LONGEST_PLAN = 12_000;

/** Truncates the text of a call: agents write any number of calls, of any length. */
export function shortText(text: string | null): string {
  return clip((text ?? '').replace(/\s+/g, ' ').trim(), LONGEST_TEXT);
}

export function planText(text: string): string {
  return clip(text.trim(), LONGEST_PLAN);
}

export function shortQuestions(questions: AskedQuestion[]): AskedQuestion[] {
  return questions
    .slice(0, MAX_QUESTIONS)
    .filter(({ question }) => question !== '')
    .map(({ options, ...asked }) => ({ ...asked, options: options.slice(0, MAX_OPTIONS) }));
}

export function shortTodos(items: TodoItem[]): TodoItem[] {
  return items.slice(0, MAX_TODOS).filter(({ id, text }) => id !== null || text !== '');
}

/** Maps the agents' names for a step's state; null if unknown. */
export function todoStatus(status: string | null): TodoItem['status'] {
  switch (status) {
    case 'pending':
      return 'open';
    case 'in_progress':
      return 'active';
    case 'completed':
      return 'done';
    case 'deleted':
    case 'cancelled':
      return 'dropped';
    default:
      return null;
  }
}
