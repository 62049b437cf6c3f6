import type { Argv, Options } from 'yargs';
import type { Field, Fields, Given } from '../../operations/fields.ts';
import { filters } from '../../operations/filters.ts';
import { numberOption } from './number-option.ts';

/** How the command line says the fields of an operation. */
export interface Wording<F extends Fields> {
  /** Fields that the command does not offer. */
  without?: (keyof F & string)[];
  /** Options that are called otherwise than their field. */
  names?: Partial<Record<keyof F, string>>;
  /** Words of the command line for a field. */
  about?: Partial<Record<keyof F, string>>;
}

/** Adds the fields: those that the command names as positional words, the others as options. */
export function withFields<F extends Fields>(
  yargs: Argv,
  command: string,
  fields: F,
  wording: Wording<F> = {},
): Argv {
  const words = positionalsOf(command);
  for (const [name, field] of Object.entries(fields)) {
    if (wording.without?.includes(name)) continue;
    const describe = wording.about?.[name] ?? field.about;
    if (words.includes(name))
      yargs.positional(name, {
        type: 'string',
        demandOption: command.includes(`<${name}`),
        describe,
      });
    else
      yargs.option(bareOption(name, wording), optionSettings(field, optionOf(name, wording), describe, name));
  }
  return yargs;
}

function optionSettings(field: Field, option: string, describe: string, name: string): Options {
  const group = field === (filters as Fields)[name] ? 'Filters:' : undefined;
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
  const values = Object.entries(fields)
    .filter(([name]) => wording.without?.includes(name) !== true)
    .map(([name, field]) => {
      const given = words.includes(name) ? args[name] : args[bareOption(name, wording)];
      return [name, givenFor(field, given, command.includes(`${name}..`) ? args['--'] : undefined)];
    });
  return Object.fromEntries(values) as Given<F>;
}

/** @param further the words after a bare `--`, which yargs passes separately */
function givenFor(field: Field, given: unknown, further: unknown): unknown {
  const all = [given ?? [], further ?? []].flat();
  if (field.type === 'list') return all.length === 0 ? undefined : all;
  if (!Array.isArray(given) && all.length === 1) return all[0];
  return all.length === 0 ? undefined : all.join(' ');
}

/** The options that may be given several times. */
export function listOptions<F extends Fields>(fields: F, wording: Wording<F>): string[] {
  return Object.entries(fields)
    .filter(([, { type }]) => type === 'list')
    .map(([name]) => bareOption(name, wording));
}

function positionalsOf(command: string): string[] {
  return command
    .split(' ')
    .slice(1)
    .map((word) => word.replace(/\W/g, ''));
}

function bareOption<F extends Fields>(name: string, { names }: Wording<F>): string {
  return names?.[name] ?? name.replaceAll('_', '-');
}

export function optionOf<F extends Fields>(name: string, wording: Wording<F>): string {
  return `--${bareOption(name, wording)}`;
}
