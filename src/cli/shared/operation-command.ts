import type { Argv, Options } from 'yargs';
import { type Field, type Fields, type Given, readInput } from '../../operations/fields.ts';
import { filters } from '../../operations/filters.ts';
import type { Operation } from '../../operations/operation.ts';
import { type CommandContext, type GlobalArguments, type RunOptions, runCommand } from '../run-command.ts';
import { numberOption } from './number-option.ts';

type Arguments = GlobalArguments & Record<string, unknown>;

/** How the command line says the fields of an operation. */
export interface Wording<F extends Fields> {
  /** Fields that the command does not offer. */
  without?: (keyof F & string)[];
  /** Options that are called otherwise than their field. */
  names?: Partial<Record<keyof F, string>>;
  /** Words of the command line for a field. */
  about?: Partial<Record<keyof F, string>>;
}

/** A command that does one operation. */
export interface CommandRow<F extends Fields, Answer> extends Wording<F> {
  operation: Operation<F, Answer>;
  /** The command with its positional fields: `recall [query..]`. */
  command: string;
  aliases?: string[];
  /** Default: the operation's summary. */
  describe?: string;
  examples: [command: string, purpose: string][];
  /** What `--json` prints. */
  json: string;
  /** Further options, which only say how to print. */
  options?: Record<string, Options>;
  conflicts?: [string, string | string[]][];
  /** Asks to index if nothing is indexed. */
  indexesFirst?: true;
  /** Shown while the user waits. */
  waiting?: string;
  /** How the command runs, if not as usual. */
  run?: RunOptions;
  /** Default: 0. */
  exitCode?(answer: Answer): number;
  /** Corrects what the user gave, before the operation checks it. */
  prepare?(input: Given<F>, args: Arguments): Given<F>;
  /** Prints the answer, unless `--json` did. */
  print(answer: Answer, context: CommandContext, args: Arguments, input: Given<F>): void | Promise<void>;
}

export function operationCommand<F extends Fields, Answer>(row: CommandRow<F, Answer>) {
  const { operation, command, aliases, examples, json, options = {}, conflicts = [] } = row;
  const { fields, summary } = operation;
  return {
    command,
    aliases,
    describe: row.describe ?? summary,
    lists: listOptions(fields, row),
    builder: (yargs: Argv) => {
      const withAll = withFields(yargs, command, fields, row);
      for (const [name, settings] of Object.entries(options)) withAll.option(name, settings);
      withAll.option('json', { type: 'boolean', describe: json });
      for (const [one, others] of conflicts) withAll.conflicts(one, others);
      for (const [example, purpose] of examples) withAll.example(example, purpose);
      return withAll;
    },
    handler: (args: Arguments) => runCommand(args, (context) => runRow(row, context, args), row.run),
  };
}

async function runRow<F extends Fields, Answer>(
  row: CommandRow<F, Answer>,
  context: CommandContext,
  args: Arguments,
): Promise<void> {
  const { operation, waiting } = row;
  const given = inputOf(operation.fields, row.command, row, args);
  const input = row.prepare?.(given, args) ?? given;
  const { perform } = await import('../../operations/operation.ts');
  const { openHere } = await import('./open-here.ts');
  const { open, caller } = openHere(context, (field) => optionOf(field, row));
  if (row.indexesFirst === true) {
    readInput(operation.fields, input, caller.nameOf);
    const { ensureIndexed } = await import('../index/ensure-indexed.ts');
    if (!(await ensureIndexed(context))) return;
  }
  const work = perform(operation, open, input, caller);
  const answer = waiting === undefined ? await work : await waitingFor(work, context, waiting);
  process.exitCode = row.exitCode?.(answer) || process.exitCode;
  if (args.json === true) return context.terminal.out(JSON.stringify(answer));
  await row.print(answer, context, args, input);
}

async function waitingFor<T>(work: Promise<T>, { terminal }: CommandContext, text: string): Promise<T> {
  const { waitFor } = await import('../terminal/progress/spinner.ts');
  return waitFor(work, { terminal, text });
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
  const group = Object.hasOwn(filters, name) ? 'Filters:' : undefined;
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
    describe: field.type === 'list' ? `${describe} (repeatable)` : describe,
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
  return limits.length === 0 ? describe : `${describe} (${limits.join(', ')})`;
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
function listOptions<F extends Fields>(fields: F, wording: Wording<F>): string[] {
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
