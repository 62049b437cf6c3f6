import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { type ForkOption, forkOptions, REFINE } from '../../domain/search/fork-options.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { ForkResult } from './fork-result.ts';
import { optionText } from './option-text.ts';

export type Choice =
  | { kind: 'session'; session_id: string }
  | { kind: 'refine'; text: string }
  | { kind: 'fresh' | 'cancelled' };

interface Offer {
  query: string;
  results: ForkResult[];
}

type Ask = (form: ElicitRequestFormParams) => Promise<{ action: string; content?: Record<string, unknown> }>;

/** Lets the user choose in the client's own form. Other sessions, and a text to search for, are asked for in another form. */
export async function askChoice(ask: Ask, { query, results }: Offer, nowMs: number): Promise<Choice> {
  const question = questionFor(query, results);
  const option = await askOption(ask, question, forkOptions(results), nowMs);
  return option === null || !('chosen' in option)
    ? (option ?? { kind: 'cancelled' })
    : takeOption(ask, option.chosen, { question, results, nowMs });
}

type Option = ForkOption<ForkResult>;

/** The chosen option, or what was typed; null if the form was declined. */
async function askOption(
  ask: Ask,
  question: string,
  options: Option[],
  nowMs: number,
): Promise<{ chosen: Option } | Choice | null> {
  const answer = await ask(choiceForm(question, options, nowMs));
  if (answer.action !== 'accept') return null;
  const typed = textOf(answer.content?.search_for);
  const chosen = options[Number(answer.content?.choice) - 1];
  const isSearch = chosen === undefined || chosen.kind === 'refine' || chosen.kind === 'more';
  if (isSearch && typed !== '') return { kind: 'refine', text: typed };
  return chosen === undefined ? askText(ask) : { chosen };
}

async function takeOption(
  ask: Ask,
  option: Option,
  { question, results, nowMs }: { question: string; results: ForkResult[]; nowMs: number },
): Promise<Choice> {
  if (option.kind === 'session') return { kind: 'session', session_id: option.result.session_id };
  if (option.kind === 'fresh') return { kind: 'fresh' };
  if (option.kind === 'refine') return askText(ask);
  const [fresh, refine] = forkOptions<ForkResult>([]);
  const all = results.map((result, at): Option => ({ kind: 'session', digit: at + 1, result }));
  const next = await askOption(
    ask,
    question,
    [...all, fresh, refine].filter((one) => one !== undefined),
    nowMs,
  );
  if (next === null) return { kind: 'cancelled' };
  return 'chosen' in next ? takeOption(ask, next.chosen, { question, results, nowMs }) : next;
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

function choiceForm(question: string, options: Option[], nowMs: number): ElicitRequestFormParams {
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
          enumNames: options.map((option) => optionText(option, nowMs)),
        },
        search_for: {
          type: 'string',
          title: REFINE,
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
