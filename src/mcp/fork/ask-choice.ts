import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import type { ForkOption } from './fork-options.ts';

export type Choice =
  | { kind: 'session'; session_id: string }
  | { kind: 'refine'; text: string }
  | { kind: 'fresh' | 'cancelled' };

type Ask = (form: ElicitRequestFormParams) => Promise<{ action: string; content?: Record<string, unknown> }>;

/** Lets the user choose in the client's own form. After "Type something" without a text, a second form asks for it. */
export async function askChoice(ask: Ask, screen: string, options: ForkOption[]): Promise<Choice> {
  const answer = await ask(choiceForm(screen, options));
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

function choiceForm(screen: string, options: ForkOption[]): ElicitRequestFormParams {
  return {
    mode: 'form',
    message: screen,
    requestedSchema: {
      type: 'object',
      properties: {
        choice: {
          type: 'string',
          title: 'Session to fork from',
          // Clients of the older protocol know `enumNames` too.
          enum: options.map(({ number }) => String(number)),
          enumNames: options.map(({ label, description }) => `${label}: ${description}`),
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
