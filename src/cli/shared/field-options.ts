import type { Argv, Options } from 'yargs';
import type { Field, Fields, Given } from '../../operations/fields.ts';
import { filters } from '../../operations/filters.ts';
import { type OfferedField, offeredFields, type Wording } from '../../operations/wording.ts';
import { numberOption } from './number-option.ts';

/** Adds the fields: those that the command names as positional words, the others as options. */
export function withFields<F extends Fields>(
  yargs: Argv,
  command: string,
  fields: F,
  wording: Wording<F> = {},
): Argv {
  const words = positionalsOf(command);
  for (const { own, name, field, about = field.about } of offered(fields, wording))
    if (words.includes(own))
      yargs.positional(own, {
        type: 'string',
        demandOption: command.includes(`<${own}`),
        describe: about,
      });
    else yargs.option(name, optionSettings(field, `--${name}`, about, isFilter(own, fields)));
  return yargs;
}

function isFilter(own: string, fields: Fields): boolean {
  return fields[own] === (filters as Fields)[own];
}

function optionSettings(field: Field, option: string, describe: string, ofFilters: boolean): Options {
  const group = ofFilters ? 'Filters:' : undefined;
  const alias = 'alias' in field ? field.alias : undefined;
  if (field.type === 'flag') return { type: 'boolean', alias, group, describe };
  if (field.type === 'number') {
    const { whole, min, max } = field;
    return {
      ...numberOption(option, { whole, min, max, alias, describe: withLimits(field, describe) }),
      group,
    };
  }
  const choices = choicesOf(field);
  return {
    type: 'string',
    alias,
    group,
    choices,
    describe: field.type === 'list' ? withNotes(describe, ['repeatable']) : describe,
    coerce: choices?.every((one) => one === one.toUpperCase()) ? upperCase : undefined,
  };
}

function choicesOf(field: Field): readonly string[] | undefined {
  if (field.type === 'choice') return field.values;
  return field.type === 'list' ? choicesOf(field.of) : undefined;
}

function upperCase(value: string | undefined): string | undefined {
  return value?.toUpperCase();
}

function withLimits(field: { default?: number; max?: number }, describe: string): string {
  const limits = [
    ...(field.default === undefined ? [] : [`default ${field.default}`]),
    ...(field.max === undefined ? [] : [`at most ${field.max}`]),
  ];
  return withNotes(describe, limits);
}

/** `only this kind (default: todo)` and `repeatable` make `only this kind (default: todo; repeatable)`. */
function withNotes(describe: string, notes: string[]): string {
  if (notes.length === 0) return describe;
  return describe.endsWith(')')
    ? `${describe.slice(0, -1)}; ${notes.join(', ')})`
    : `${describe} (${notes.join(', ')})`;
}

/** What the user gave, by field. */
export function inputOf<F extends Fields>(
  fields: F,
  command: string,
  wording: Wording<F>,
  args: Record<string, unknown>,
): Given<F> {
  const words = positionalsOf(command);
  const values = offered(fields, wording).map(({ own, name, field }) => {
    const given = words.includes(own) ? args[own] : args[name];
    return [own, givenFor(field, given)];
  });
  return Object.fromEntries(values) as Given<F>;
}

function givenFor(field: Field, given: unknown): unknown {
  const all = [given ?? []].flat();
  if (field.type === 'list') return all.length === 0 ? undefined : all;
  if (!Array.isArray(given) && all.length === 1) return all[0];
  return all.length === 0 ? undefined : all.join(' ');
}

/** The options that may be given several times. */
export function listOptions<F extends Fields>(fields: F, wording: Wording<F>): string[] {
  return offered(fields, wording).flatMap(({ name, field }) => (field.type === 'list' ? [name] : []));
}

function offered<F extends Fields>(fields: F, wording: Wording<F>): OfferedField[] {
  return offeredFields(fields, wording, optionName);
}

/** Whether a command takes a field as a word, without an option. */
export function isPositional(command: string, field: string): boolean {
  return positionalsOf(command).includes(field);
}

function positionalsOf(command: string): string[] {
  return command
    .split(' ')
    .slice(1)
    .map((word) => word.replace(/\W/g, ''));
}

export function optionName(field: string): string {
  return field.replaceAll('_', '-');
}
