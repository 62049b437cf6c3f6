import yargs, { type Argv, type CommandModule } from 'yargs';
import { usageError } from './usage-error.ts';

/** Runs a command with what yargs reads in its words. */
export async function runWithYargs(module: CommandModule, words: string[]): Promise<void> {
  const usage = String(module.command).replace(/^\S+/, '$0');
  await baseParser([module], words)
    .command({ ...module, command: usage, aliases: [] })
    .help(false)
    .version(false)
    .parseAsync(words);
}

/** The help of one command. */
export async function helpOf(module: CommandModule, name: string, columns: number): Promise<string> {
  let text = '';
  await baseParser([module], [])
    .command(module)
    .help()
    .version(false)
    // These are explained once, in the help of all commands.
    .hide('help')
    .hide('color')
    .hide('debug')
    .epilogue('All commands take --help, --no-color and --debug.')
    .wrap(columns)
    .parseAsync([name, '--help'], {}, (_error: unknown, _args: unknown, help: string) => {
      // What yargs says of every argument that may be repeated.
      text = help.replace(/ *\[array\] \[default: \[\]\]/, '');
    });
  return text;
}

/** @throws SmartForkError USAGE that names the most similar command */
export async function rejectWord(word: string, modules: CommandModule[]): Promise<void> {
  await baseParser(modules, [word]).command(modules).recommendCommands().help(false).parseAsync([word]);
}

/** Options that may be given several times. */
const REPEATABLE = ['also', 'not', 'exclude', 'recipient', 'identity'];

function baseParser(modules: CommandModule[], words: string[]): Argv {
  return yargs()
    .scriptName('smart-fork')
    .locale('en')
    .updateStrings({ 'Show help': 'show help' })
    .parserConfiguration({ 'strip-aliased': true, 'parse-positional-numbers': false, 'populate--': true })
    .middleware((args) => keepLast(args, modules), true)
    .option('color', {
      type: 'boolean',
      default: undefined,
      describe: 'use colors; --no-color to turn them off',
      global: true,
    })
    .option('debug', { type: 'boolean', describe: 'show the stack trace of errors', global: true })
    .strict()
    .exitProcess(false)
    .fail((message, error) => {
      throw error === undefined || error.name === 'YError'
        ? usageError(message ?? error?.message, { words, modules })
        : error;
    });
}

/**
 * Of any other option given twice, the last value counts. yargs can do that too (`duplicate-arguments-array`), but then it also keeps
 * only the last word of a query.
 */
function keepLast(args: Record<string, unknown>, modules: CommandModule[]): void {
  const lists = modules.flatMap(({ command }) => /(\w+)\.\./.exec(String(command))?.[1] ?? []);
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value) && !['_', '--', ...lists, ...REPEATABLE].includes(name))
      args[name] = value.at(-1);
  }
}
