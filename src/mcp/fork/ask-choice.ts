import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { timeAgo } from '../../domain/text/time-text.ts';
import type { ForkOption } from './fork-options.ts';
import type { ForkResult } from './fork-result.ts';

export type Choice =
  | { kind: 'session'; session_id: string }
  | { kind: 'refine'; text: string }
  | { kind: 'fresh' | 'cancelled' };

interface Offer {
  query: string;
  options: ForkOption[];
  results: ForkResult[];
}

type Ask = (form: ElicitRequestFormParams) => Promise<{ action: string; content?: Record<string, unknown> }>;

/** Lets the user choose in the client's own form. If "Type something" is chosen without a text, a second form asks for it. */
export async function askChoice(
  ask: Ask,
  { query, options, results }: Offer,
  nowMs: number,
): Promise<Choice> {
  const labels = options.map((option) => labelOf(option, results, nowMs));
  const answer = await ask(choiceForm(questionFor(query, results), options, labels));
  if (answer.action !== 'accept') return { kind: 'cancelled' };
  const typed = textOf(answer.content?.search_for);
  const chosen = options.find(({ number }) => String(number) === answer.content?.choice);
  if (chosen?.session_id != null) return { kind: 'session', session_id: chosen.session_id };
  if (chosen?.kind === 'fresh') return { kind: 'fresh' };
  return typed === '' ? askText(ask) : { kind: 'refine', text: typed };
}

async function askText(ask: Ask): Promise<Choice> {
  const answer = await ask({
    mode: 'form',
    message: 'What would you like to search for or do differently?',
    requestedSchema: {
      type: 'object',
      properties: { search_for: { type: 'string', title: 'Search for', minLength: 1, maxLength: 4000 } },
      required: ['search_for'],
    },
  });
  const text = answer.action === 'accept' ? textOf(answer.content?.search_for) : '';
  return text === '' ? { kind: 'cancelled' } : { kind: 'refine', text };
}

/** Clients show the first lines of a message, and about 48 characters of a label. */
const LONGEST_LABEL = 48;
const LONGEST_QUERY = 60;
const LONGEST_REPOSITORY = 14;

function questionFor(query: string, results: ForkResult[]): string {
  const what = `"${cut(sanitizeLine(query), LONGEST_QUERY)}"`;
  return results.length === 0
    ? `No session matches ${what}. How should this continue?`
    : `Which session should ${what} continue from?`;
}

/** A session by its title, repository and date. */
function labelOf(option: ForkOption, results: ForkResult[], nowMs: number): string {
  const result = results.find(({ session_id }) => session_id === option.session_id);
  if (result === undefined) return option.label;
  const repository = cut(sanitizeLine(result.repo_name), LONGEST_REPOSITORY);
  const end = [repository, timeAgo(result.date, nowMs)].filter(Boolean).join(' · ');
  const title = sanitizeLine(result.title) || '(untitled)';
  return `${cut(title, LONGEST_LABEL - end.length - 3)} · ${end}`;
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

function choiceForm(question: string, options: ForkOption[], labels: string[]): ElicitRequestFormParams {
  return {
    mode: 'form',
    message: question,
    requestedSchema: {
      type: 'object',
      properties: {
        choice: {
          type: 'string',
          title: 'Session to fork from',
          // Clients with the older protocol use `enumNames` as well.
          enum: options.map(({ number }) => String(number)),
          enumNames: labels,
        },
        search_for: {
          type: 'string',
          title: 'Search for something else',
          description: 'for "Type something"',
          maxLength: 4000,
        },
      },
      required: ['choice'],
    },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
