import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { type ForkOption, forkOptions, SEARCH_AGAIN } from './fork-options.ts';
import type { ForkResult } from './fork-result.ts';

export type Choice =
  | { kind: 'session'; session_id: string }
  | { kind: 'refine'; text: string }
  | { kind: 'fresh' | 'cancelled' };

interface Offer {
  query: string;
  results: ForkResult[];
}

type Ask = (form: ElicitRequestFormParams) => Promise<{ action: string; content?: Record<string, unknown> }>;

/** Lets the user choose in the client's own form. If another search is chosen without a text, a second form asks for it. */
export async function askChoice(ask: Ask, { query, results }: Offer, nowMs: number): Promise<Choice> {
  const options = forkOptions(results, nowMs);
  const answer = await ask(choiceForm(questionFor(query, results), options));
  if (answer.action !== 'accept') return { kind: 'cancelled' };
  const typed = textOf(answer.content?.search_for);
  const chosen = options[Number(answer.content?.choice) - 1];
  if (chosen?.session_id != null) return { kind: 'session', session_id: chosen.session_id };
  if (chosen?.kind === 'fresh') return { kind: 'fresh' };
  return typed === '' ? askText(ask) : { kind: 'refine', text: typed };
}

async function askText(ask: Ask): Promise<Choice> {
  const answer = await ask({
    mode: 'form',
    message: 'What would you like to search for?',
    requestedSchema: {
      type: 'object',
      properties: { search_for: { type: 'string', title: 'Search for', minLength: 1, maxLength: 4000 } },
      required: ['search_for'],
    },
  });
  const text = answer.action === 'accept' ? textOf(answer.content?.search_for) : '';
  return text === '' ? { kind: 'cancelled' } : { kind: 'refine', text };
}

/** Clients show the first lines of a message. */
const LONGEST_QUERY = 60;

function questionFor(query: string, results: ForkResult[]): string {
  const what = `"${cut(sanitizeLine(query), LONGEST_QUERY)}"`;
  return results.length === 0
    ? `No session matches ${what}. How should this continue?`
    : `Which session should ${what} continue from?`;
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

function choiceForm(question: string, options: ForkOption[]): ElicitRequestFormParams {
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
          enum: options.map((_, at) => String(at + 1)),
          enumNames: options.map(({ label }) => label),
        },
        search_for: {
          type: 'string',
          title: SEARCH_AGAIN,
          description: 'in other words',
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
