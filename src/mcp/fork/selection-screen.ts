import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import { respellQuery } from '../../domain/query/respell-query.ts';
import type { Understood } from '../../domain/query/understanding.ts';
import { type Fit, isWeak } from '../../domain/search/certainty.ts';
import type { CountedWord, FoundTogether, Notice } from '../../domain/search-result.ts';
import { sanitizeCommand, sanitizeLine } from '../../domain/text/sanitize.ts';
import { plural, timeAgo } from '../../domain/text/time-text.ts';
import { quoteLine } from '../text/quote-line.ts';
import type { ForkOption } from './fork-options.ts';
import type { ForkResult } from './fork-result.ts';

export interface Selection {
  query: string;
  understood: Understood[];
  preferred: string | null;
  together: FoundTogether | null;
  fit: Fit | null;
  results: ForkResult[];
  options: ForkOption[];
  notices: Notice[];
  words: CountedWord[];
}

const WIDTH = 57;

/** The selection screen from the requirements document, as text. */
export function selectionScreen(selection: Selection, nowMs: number): string {
  const { query, results, options } = selection;
  if (results.length === 0) return [...nothingFound(selection), ...noticeLines(selection)].join('\n');
  const title = '□ Fork Session';
  const indent = ' '.repeat(Math.floor((WIDTH - title.length) / 2));
  return [
    ...box(indent + title),
    '',
    ...closestLines(selection),
    `Which session would you like to fork for "${sanitizeLine(query)}"?`,
    ...understoodLines(selection),
    ...preferredLines(selection),
    '',
    ...options.flatMap((option) => [...optionLines(option, results, nowMs), '']),
    ...box(' Chat about this'),
    '',
    'Choose a number, enter another search, or ask about a session.',
    ...togetherLines(selection),
    ...weakLines(selection),
    ...noticeLines(selection),
  ].join('\n');
}

function closestLines({ query, fit }: Selection): string[] {
  return fit !== null && isWeak(fit) ? [`"${sanitizeLine(query)}": ${fit.text}:`, ''] : [];
}

/** All results, and how to continue each of them. */
export function resultDetails(results: ForkResult[], nowMs: number): string {
  return results
    .flatMap((result) => [
      '',
      `#${result.rank} ${result.session_id}: ${sanitizeLine(result.title)} (score ${result.score.toFixed(2)})`,
      `  ${facts(result, nowMs)}`,
      ...(result.snippet === null ? [] : [`  ${quoteLine(result.snippet)}`]),
      `  new terminal:         ${sanitizeCommand(result.fork_command)}`,
      `  in this conversation: ${result.in_session_command}`,
      ...result.warnings.map((warning) => `  note: ${sanitizeLine(warning)}`),
    ])
    .join('\n');
}

function box(line: string): string[] {
  const rule = '─'.repeat(WIDTH);
  return [`┌${rule}┐`, `│${line.padEnd(WIDTH)}│`, `└${rule}┘`];
}

function optionLines(option: ForkOption, results: ForkResult[], nowMs: number): string[] {
  const mark = option.number === 1 ? '❯' : ' ';
  const end = option.kind === 'refine' ? '.' : '';
  const result = results.find(({ session_id }) => session_id === option.session_id);
  return [
    `${mark} ${option.number}. ${option.label}${end}`,
    `    ${sanitizeLine(option.description)}`,
    ...(result === undefined ? [] : [`    ${facts(result, nowMs)}`]),
  ];
}

function facts(result: ForkResult, nowMs: number): string {
  return [
    AGENT_ROWS[result.agent_type].name,
    sanitizeLine(result.repo_name),
    timeAgo(result.date, nowMs),
    plural(result.message_count, 'message'),
    result.outcome,
    ...(result.local ? [] : [placeOf(result)]),
    ...result.tags.map((tag) => `#${sanitizeLine(tag)}`),
  ].join(' · ');
}

function understoodLines({ understood }: Pick<Selection, 'understood'>): string[] {
  if (understood.length === 0) return [];
  return [
    `Restricted to: ${understood.map(({ text }) => sanitizeLine(text)).join(' · ')} (literal: true searches for the words)`,
  ];
}

function preferredLines({ preferred }: Pick<Selection, 'preferred'>): string[] {
  if (preferred === null) return [];
  return [`Sessions of ${sanitizeLine(preferred)} first (scope: all ranks all projects alike)`];
}

function togetherLines({ together }: Selection): string[] {
  if (together === null) return [];
  return [`${together.text}: pass them to get_session_context together (other_sessions)`];
}

function nothingFound({ query, understood, words }: Selection): string[] {
  const missing = words.filter(({ sessions }) => sessions === 0).map(({ word }) => sanitizeLine(word));
  return [
    `No relevant sessions found for "${sanitizeLine(query)}"`,
    ...respelledLines(query, words),
    ...understoodLines({ understood }),
    ...(missing.length > 0 ? [`Not in any session: ${missing.join(', ')}`] : []),
    '',
    'Would you like to:',
    '1. Start a fresh session',
    '2. Refine your search query',
    '3. Browse recent sessions',
  ];
}

function respelledLines(query: string, words: CountedWord[]): string[] {
  const meant = respellQuery(query, words);
  return meant === null ? [] : [`Did the user mean "${sanitizeLine(meant)}"?`];
}

function weakLines(selection: Selection): string[] {
  if (!isWeak(selection.fit)) return [];
  const counts = selection.words.map(({ word, sessions }) => `${sanitizeLine(word)} ${sessions}`).join(', ');
  if (counts === '') return [];
  return ['', `Sessions with each word: ${counts}.`, ...respelledLines(selection.query, selection.words)];
}

function noticeLines({ notices }: Selection): string[] {
  return notices.flatMap(({ message, hint }, index) => [
    ...(index === 0 ? [''] : []),
    `note: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  ]);
}

function placeOf({ gone, restorable, machine }: ForkResult): string {
  if (gone) return 'transcript gone';
  return restorable ? 'restorable' : `on ${sanitizeLine(machine)}`;
}
