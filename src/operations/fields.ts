import { SmartForkError } from '../domain/errors.ts';
import { didYouMean } from '../domain/text/nearest-value.ts';

/** The inputs of an operation as data. Each door builds from them what it needs: options, schemas, documents. */
export type Fields = Record<string, Field>;
export type Field = TextField | ChoiceField | FlagField | NumberField | ListField;

interface Described {
  /** What the field means, for people. A row may have words of its own; for a model they are written by hand. */
  about: string;
  required?: true;
}

export interface TextField extends Described {
  type: 'text';
  /** Longest value in characters. */
  max: number;
  min?: number;
  /** Least characters that MCP and REST take, if a person may type fewer. */
  minFromPrograms?: number;
  /** Another name that is accepted. */
  also?: string;
  /** A letter for the command line. */
  alias?: string;
  /** What people call it when it is missing: "the question". */
  called?: string;
  hint?: string;
}

interface ChoiceField<Value extends string = string> extends Described {
  type: 'choice';
  values: readonly Value[];
  default?: Value;
}

interface FlagField extends Described {
  type: 'flag';
  alias?: string;
}

interface NumberField extends Described {
  type: 'number';
  whole?: true;
  min?: number;
  max?: number;
  default?: number;
  alias?: string;
}

interface ListField<Of extends TextField | ChoiceField = TextField | ChoiceField> extends Described {
  type: 'list';
  of: Of;
  /** Most values. */
  most: number;
  /** Fewest values, if it is given. */
  least?: number;
  /** What people call the values: "further phrasings". */
  called?: string;
  /** The operation itself says what is wrong with a value. */
  explained?: true;
}

type ValueOf<F> = F extends { type: 'choice'; values: readonly (infer Value)[] }
  ? Value
  : F extends { type: 'list'; of: infer Of }
    ? ValueOf<Of>[]
    : F extends { type: 'text' }
      ? string
      : F extends { type: 'flag' }
        ? boolean
        : number;

type Filled<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { required: true } | { default: string | number } ? Name : never;
}[keyof F];

/** What an operation gets: its fields, checked, with their defaults. */
export type Input<F extends Fields> = { [Name in Filled<F>]: ValueOf<F[Name]> } & {
  [Name in Exclude<keyof F, Filled<F>>]?: ValueOf<F[Name]>;
};

type Required<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { required: true } ? Name : never;
}[keyof F];

/** What a caller gives: fields with a default may be left out. */
export type Given<F extends Fields> = { [Name in Required<F>]: ValueOf<F[Name]> } & {
  [Name in Exclude<keyof F, Required<F>>]?: ValueOf<F[Name]>;
};

export const text = <const O extends Omit<TextField, 'type'>>(options: O) => ({
  type: 'text' as const,
  ...options,
});
export const choice = <const Value extends string, const O extends Omit<ChoiceField, 'type' | 'values'>>(
  values: readonly Value[],
  options: O,
) => ({ type: 'choice' as const, values, ...options });
export const flag = <const O extends Omit<FlagField, 'type'>>(options: O) => ({
  type: 'flag' as const,
  ...options,
});
export const count = <const O extends Omit<NumberField, 'type' | 'whole' | 'min'> & { min?: number }>(
  options: O,
) => ({ type: 'number' as const, whole: true as const, min: 1, ...options });
export const number = <const O extends Omit<NumberField, 'type'>>(options: O) => ({
  type: 'number' as const,
  ...options,
});
export const list = <
  const Of extends TextField | ChoiceField,
  const O extends Omit<ListField, 'type' | 'of'>,
>(
  of: Of,
  options: O,
) => ({ type: 'list' as const, of, ...options });

const ID = {
  about: 'session id or unique prefix',
  min: 1,
  // A program that gives less has made a mistake.
  minFromPrograms: 4,
  max: 200,
} as const;

/** A session's id. */
export const sessionId = text({ ...ID, required: true });

/** A session's id that may be left out. */
export const optionalSessionId = text(ID);

/** Ids of several sessions. */
export const sessionIds = list(sessionId, { about: 'session ids or unique prefixes', most: 1000, least: 1 });

/**
 * Checks what a program gives, and fills in the defaults.
 * @param nameOf how the caller calls a field
 * @throws SmartForkError USAGE for an unknown field, a missing one, or a value that does not fit
 */
export function readInput<F extends Fields>(
  fields: F,
  given: Record<string, unknown>,
  nameOf: (field: string) => string = (name) => name,
): Input<F> {
  const values = byOwnName(fields, given);
  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(fields, name));
  if (unknown.length > 0)
    throw new SmartForkError('USAGE', `unknown: ${unknown.map(nameOf).join(', ')}`, {
      hint: `Known: ${Object.keys(fields).map(nameOf).join(', ')}.`,
    });
  const read = Object.entries(fields).map(([name, field]) => {
    const value = values[name] ?? ('default' in field ? field.default : undefined);
    if (value === undefined && field.required === true) throw missing(field, nameOf(name));
    if (value !== undefined) checkValue(field, value, nameOf(name));
    return [name, typeof value === 'string' ? value.trim() : value];
  });
  return Object.fromEntries(read) as Input<F>;
}

/** Replaces other accepted names by the field's own. */
function byOwnName(fields: Fields, given: Record<string, unknown>): Record<string, unknown> {
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  for (const [name, field] of Object.entries(fields)) {
    if (field.type !== 'text' || field.also === undefined || !Object.hasOwn(values, field.also)) continue;
    values[name] ??= values[field.also];
    delete values[field.also];
  }
  return values;
}

function checkValue(field: Field, value: unknown, name: string): void {
  if (field.type === 'text') checkText(field, value, name);
  if (field.type === 'flag' && typeof value !== 'boolean') throw wrong(name, value, 'true or false');
  if (field.type === 'choice' && !field.values.some((one) => one === value))
    throw wrong(name, value, `one of ${field.values.join(', ')}${didYouMean(value, field.values)}`);
  if (field.type === 'number') checkNumber(field, value, name);
  if (field.type === 'list') checkList(field, value, name);
}

function missing(field: Field, name: string): SmartForkError {
  const { called, hint } = field.type === 'text' ? field : {};
  return new SmartForkError('USAGE', called === undefined ? `${name} needs a value` : `${called} is empty`, {
    hint,
  });
}

function checkText(field: TextField, value: unknown, name: string): void {
  if (typeof value !== 'string') throw wrong(name, value, 'a text');
  const { length } = value.trim();
  const { min = 0, max } = field;
  if (length === 0 && min > 0) throw missing(field, name);
  if (length < min) throw new SmartForkError('USAGE', `${name} has fewer than ${min} characters`);
  if (length > max) throw new SmartForkError('USAGE', `${name} has more than ${max} characters`);
}

function checkNumber(
  { whole = false, min, max }: Omit<NumberField, 'whole'> & { whole?: boolean },
  value: unknown,
  name: string,
): void {
  const kind = whole ? 'a whole number' : 'a number';
  const range = max !== undefined ? ` from ${min} to ${max}` : min !== undefined ? ` of at least ${min}` : '';
  const fits =
    typeof value === 'number' &&
    value >= (min ?? Number.NEGATIVE_INFINITY) &&
    value <= (max ?? Number.POSITIVE_INFINITY) &&
    (!whole || Number.isInteger(value));
  if (!fits) throw wrong(name, value, `${kind}${range}`);
}

function checkList(
  { of, most, least = 0, called = 'values', explained }: ListField,
  value: unknown,
  name: string,
): void {
  if (!Array.isArray(value)) throw wrong(name, value, 'a list');
  if (explained === true && value.every((one) => typeof one === 'string')) return;
  if (value.length > most) throw new SmartForkError('USAGE', `${name}: at most ${most} ${called}`);
  if (value.length < least) throw missing(of, name);
  for (const one of value) checkValue(of, one, name);
}

function wrong(name: string, value: unknown, wanted: string): SmartForkError {
  return new SmartForkError('USAGE', `${name} ${JSON.stringify(value)} is not ${wanted}`);
}
