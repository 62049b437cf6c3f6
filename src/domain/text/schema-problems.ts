import type * as z from 'zod';
import { didYouMean } from './nearest-value.ts';

/** Options for a check whose problems are shown to people. A schema's own messages take precedence. */
export const OUR_WORDS = {
  reportInput: true,
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? `unknown: ${issue.keys.join(', ')}`
      : `expected ${expectedBy(issue)}, found ${foundIn(issue.input)}${meantBy(issue)}`,
} satisfies z.core.ParseContext<z.core.$ZodIssue>;

/**
 * Describes what is wrong with a value that was checked with `OUR_WORDS`, because a schema library's own messages are for programmers:
 * `chunk.min: expected a whole number, found "a"`.
 */
export function schemaProblems({ issues }: Pick<z.ZodError, 'issues'>): string {
  return issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}

const EITHER = new Intl.ListFormat('en', { type: 'disjunction' });

function expectedBy(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return EITHER.format(issue.values.map(String).filter((value) => value !== ''));
    case 'too_small':
      if (issue.inclusive === false) return `a number above ${issue.minimum}`;
      return sizeText(issue.origin, `at least ${issue.minimum}`);
    case 'too_big':
      if (issue.inclusive === false) return `a number below ${issue.maximum}`;
      return sizeText(issue.origin, `at most ${issue.maximum}`);
    case 'invalid_type':
      return TYPES[issue.expected] ?? issue.expected;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'text in another format';
    default:
      return 'something else';
  }
}

function meantBy(issue: z.core.$ZodRawIssue): string {
  return issue.code === 'invalid_value' ? didYouMean(issue.input, issue.values.map(String)) : '';
}

function sizeText(origin: string, limit: string): string {
  if (origin === 'string') return limit === 'at least 1' ? 'text' : `${limit} characters`;
  return origin === 'array' ? `${limit} values` : limit;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time like 2026-01-15T10:00:00Z',
  date: 'a date like 2026-01-15',
  url: 'a URL',
  uuid: 'a UUID',
};

const LONGEST_FOUND = 60;

function foundIn(input: unknown): string {
  // NaN is text that was not a number.
  if (Number.isNaN(input)) return 'text';
  const text = JSON.stringify(input) ?? 'nothing';
  return text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND)}…` : text;
}
