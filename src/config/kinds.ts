import { rerankerId } from '../domain/model/known-rerankers.ts';
import type { Price } from '../domain/usage/price.ts';
import { expandHome } from './environment.ts';

/** The type of a setting. Hand-written: loading zod at every start would cost more than reading the settings. */
export interface Kind<T> {
  /** Completes `expected …`. */
  expected: string;
  accepts(value: unknown): boolean;
  /** Parses a variable's text, without validating it. */
  parse(text: string): unknown;
  /** Converts a value to the form that the program uses. */
  resolve(value: T, userHome: string): T;
}

export interface NamedPattern {
  name: string;
  pattern: string;
}

export function text(pattern = /./s, expected = 'text'): Kind<string> {
  return kind(expected, (value) => typeof value === 'string' && pattern.test(value));
}

export function httpUrl(): Kind<string> {
  const isUrl = (value: unknown) => isText(value) && /^https?:\/\//i.test(value) && URL.canParse(value);
  return kind('an http or https URL', isUrl);
}

export function number(min: number, max: number): Kind<number> {
  const isWithin = (value: unknown) => typeof value === 'number' && value >= min && value <= max;
  return kind(`a number from ${min} to ${max}`, isWithin, { parse: numberIn });
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): Kind<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const { accepts, ...rest } = number(min, max);
  const isWhole = (value: unknown) => Number.isSafeInteger(value) && accepts(value);
  return { ...rest, expected: `a whole number ${range}`, accepts: isWhole };
}

export function bytes(min: number): Kind<number> {
  return { ...wholeNumber(min), expected: `a number of bytes, at least ${min}` };
}

export function oneOf<const T extends string>(names: readonly T[]): Kind<T> {
  const expected = names.join(', ').replace(/, ([^,]+)$/, ' or $1');
  return kind(expected, (value) => names.some((name) => name === value), { parse: (raw) => raw.trim() });
}

/** `true` and `false`. Variables may also use on, 1, yes, off, 0 and no. */
export function flag(): Kind<boolean> {
  return kind('true or false', (value) => typeof value === 'boolean', { parse: switchIn });
}

/** `on` and `off`. Variables may also use true, 1, yes, false, 0 and no. */
export function onOrOff(): Kind<'on' | 'off'> {
  const parse = (raw: string) => ({ true: 'on', false: 'off' })[String(switchIn(raw))] ?? raw;
  return { ...oneOf(['on', 'off']), parse };
}

/** `15m`, `1h`; see `intervalMs`. */
export function interval(): Kind<string> {
  const isInterval = (value: unknown) => typeof value === 'string' && intervalMs(value) !== null;
  return kind('minutes or hours, such as 15m or 1h', isInterval, { parse: (raw) => raw.trim() });
}

/** Converts `15m` or `6h`, at most a week, to milliseconds; null for anything else. */
export function intervalMs(text: string): number | null {
  const [, amount = '', unit = ''] = /^([1-9]\d{0,4})([mh])$/.exec(text) ?? [];
  const ms = Number(amount) * (unit === 'h' ? 3_600_000 : 60_000);
  return unit !== '' && ms <= 7 * 86_400_000 ? ms : null;
}

export function folder(): Kind<string> {
  return kind('the path of a folder', isText, { resolve: expandHome });
}

/** `none`, or a reranker by name, by id on the hub, or by folder. */
export function reranker(): Kind<string> {
  const isFolder = (value: unknown) => isText(value) && /^(~|\/|[a-z]:[\\/])/i.test(value);
  return kind(
    'none, ettin-reranker-17m, another model’s id on the hub (owner/name), or the full path of a folder',
    (value) => value === 'none' || (isText(value) && rerankerId(value) !== null) || isFolder(value),
    { resolve: (value, userHome) => (isFolder(value) ? expandHome(value, userHome) : value) },
  );
}

/** A list of folders. As a variable, a single folder. */
export function folders(): Kind<string[]> {
  return kind('a list of folders', (value) => isTextList(value) && value.length > 0, {
    parse: (raw) => [raw],
    resolve: (paths, userHome) => paths.map((path) => expandHome(path, userHome)),
  });
}

export function textList(max: number): Kind<string[]> {
  return kind(`a list of at most ${max} texts`, (value) => isTextList(value) && value.length <= max);
}

export function namedPatterns(max: number): Kind<NamedPattern[]> {
  return kind(
    `a list of at most ${max} patterns, each {"name": text, "pattern": text}`,
    (value) => Array.isArray(value) && value.length <= max && value.every(isNamedPattern),
    { resolve: (patterns) => patterns.map(({ name, pattern }) => ({ name, pattern })) },
  );
}

/** The first price that matches a model applies. */
export function prices(max: number): Kind<Price[]> {
  return kind(
    `a list of at most ${max} prices, each {"model": text, "input": number, "output": number}, with "cache_read", "cache_write" and "cache_write_1h" where they differ from input`,
    (value) => Array.isArray(value) && value.length <= max && value.every(isPrice),
  );
}

function kind<T>(
  expected: string,
  accepts: (value: unknown) => boolean,
  { parse = (raw: string): unknown => raw, resolve = (value: T, _userHome: string): T => value } = {},
): Kind<T> {
  return { expected, accepts, parse, resolve };
}

function numberIn(raw: string): unknown {
  const value = Number(raw);
  return Number.isNaN(value) ? raw : value;
}

function switchIn(raw: string): unknown {
  const word = raw.trim().toLowerCase();
  if (['on', 'true', '1', 'yes'].includes(word)) return true;
  return ['off', 'false', '0', 'no'].includes(word) ? false : raw;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

function isNamedPattern(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, pattern, ...others } = value as Partial<NamedPattern>;
  return isText(name) && isText(pattern) && Object.keys(others).length === 0;
}

function isPrice(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const {
    model,
    input,
    output,
    cache_read = 0,
    cache_write = 0,
    cache_write_1h = 0,
    ...others
  } = value as Partial<Price>;
  const isAmount = (amount: unknown) => typeof amount === 'number' && amount >= 0;
  const amounts = [input, output, cache_read, cache_write, cache_write_1h];
  return isText(model) && amounts.every(isAmount) && Object.keys(others).length === 0;
}
