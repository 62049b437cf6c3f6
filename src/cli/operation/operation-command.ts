import type { Options } from 'yargs';
import { comesFirst, type MayBePartial } from '../../domain/outage.ts';
import type { Fields, Given } from '../../operations/fields.ts';
import { type Operation, perform } from '../../operations/operation.ts';
import type { Wording } from '../../operations/wording.ts';
import { indexFirst, isIndexed } from '../index/ensure-indexed.ts';
import {
  type CommandContext,
  defineCommand,
  type GlobalArguments,
  type RunOptions,
  runCommand,
} from '../run-command.ts';
import { inputOf, isPositional, listOptions, optionName, withFields } from '../shared/field-options.ts';
import { tellNotices } from '../shared/notices.ts';
import { waitFor } from '../terminal/progress/spinner.ts';
import { openHere } from './open-here.ts';

type Arguments = GlobalArguments & Record<string, unknown>;

/** A command that does one operation. */
interface CommandRow<F extends Fields, Answer> extends Wording<F> {
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
  /** Does not index first, if an answer is empty because nothing is indexed. */
  neverIndexes?: true;
  /** `print` shows the answer's notices itself. */
  showsNotices?: true;
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
  return defineCommand({
    command,
    aliases,
    describe: row.describe ?? summary,
    lists: listOptions(fields, row),
    builder: (yargs) => {
      const withAll = withFields(yargs, command, fields, row);
      for (const [name, settings] of Object.entries(options)) withAll.option(name, settings);
      withAll.option('json', { type: 'boolean', describe: json });
      for (const [one, others] of conflicts) withAll.conflicts(one, others);
      for (const [example, purpose] of examples) withAll.example(example, purpose);
      return withAll;
    },
    handler: (args: Arguments) => runCommand(args, (context) => runRow(row, context, args), row.run),
  });
}

async function runRow<F extends Fields, Answer>(
  row: CommandRow<F, Answer>,
  context: CommandContext,
  args: Arguments,
): Promise<void> {
  const { operation, waiting } = row;
  const given = inputOf(operation.fields, row.command, row, args);
  const input = row.prepare?.(given, args) ?? given;
  const { open, caller } = openHere(context, (field) =>
    isPositional(row.command, field) ? field : `--${row.names?.[field] ?? optionName(field)}`,
  );
  const ask = () => {
    const work = perform(operation, open, input, caller);
    return waiting === undefined ? work : waitFor(work, { terminal: context.terminal, text: waiting });
  };
  let answer = await ask();
  const mayIndex = row.neverIndexes !== true && operation.isEmpty?.(answer) === true;
  if (mayIndex && operation.mayLack?.(answer) !== false && !(await isIndexed(context))) {
    if (!(await indexFirst(context))) return;
    answer = await ask();
  }
  const { notices = [] }: MayBePartial = answer;
  if (row.showsNotices !== true || args.json === true)
    tellNotices(notices.filter(comesFirst), context.terminal);
  process.exitCode = row.exitCode?.(answer) || process.exitCode;
  if (args.json === true) return context.terminal.out(JSON.stringify(answer));
  await row.print(answer, context, args, input);
}
