import yargs, { type Argv, type CommandModule } from 'yargs';
import { processEnvironment } from '../config/environment.ts';
import { SmartForkError } from '../domain/errors.ts';
import { asksForHelp, asksForVersion, printVersion } from './about.ts';
import { commandList } from './command-list.ts';
import { type CommandName, commandNamed, loadCommand } from './commands.ts';
import type { Usage } from './help/usage-error.ts';
import { EXIT } from './run-command.ts';
import { renderError } from './shared/render-error.ts';
import { print } from './terminal/print.ts';
import { createTerminal } from './terminal/terminal.ts';

/** Parses the command line, runs the command and sets the exit code. */
export async function runCli(words: string[]): Promise<void> {
  try {
    await run(words.length === 0 && isInteractive() ? ['fork'] : words);
  } catch (thrown) {
    const error = thrown instanceof Misuse ? await thrown.told() : thrown;
    if (!(error instanceof SmartForkError)) throw error;
    report(error, words.includes('--json'));
  }
}

async function run(given: string[]): Promise<void> {
  const [first = '', ...rest] = withCommandFirst(given);
  if (first === 'help')
    return showHelp(
      rest.find((word) => !word.startsWith('-')),
      rest.includes('--all'),
    );
  if (first === 'complete') {
    const { completeCommand } = await import('./complete/complete-command.ts');
    return runOne(completeCommand, rest);
  }
  const name = commandNamed(first);
  const before = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (name !== null && before.some(asksForHelp)) return showHelp(name);
  if (name !== null && before.some(asksForVersion)) return printVersion();
  if (name !== null && rest.length === 0 && needsWords(await loadCommand(name))) await printCommandHelp(name);
  if (name !== null)
    return runOne(await loadCommand(name), QUERY_COMMANDS.has(name) ? withWordsLast(rest) : rest);
  if (first === '' || asksForHelp(first)) return showHelp(undefined, rest.includes('--all'));
  if (asksForVersion(first)) return printVersion();
  await rejectCommand(first);
}

/** Global options may precede the command. */
function withCommandFirst(words: string[]): string[] {
  const at = words.findIndex((word) => !/^--(?:no-)?(?:color|debug)$/.test(word));
  return at < 0 ? [] : [...words.slice(at, at + 1), ...words.slice(0, at), ...words.slice(at + 1)];
}

/** The commands that take a free-text query. */
const QUERY_COMMANDS = new Set(['search', 'fork', 'demo', 'recall']);

/** Options that may be given several times, besides those of the command's operation. */
const REPEATABLE = ['recipient', 'identity'];

/**
 * Moves arguments that begin with a dash but are not options after `--`: quoted queries, which contain a space, and excluded words
 * (`-kubernetes`).
 */
function withWordsLast(words: string[]): string[] {
  const end = words.indexOf('--');
  const [before, after] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
  const isQuery = (word: string) =>
    word.startsWith('-') &&
    /^-[^=]*\s|^-(?!n\d)\p{L}[\p{L}\p{N}_-]{2,}$|^-(?:agent|lang|repo):\S/u.test(word);
  const queries = [...before.flatMap((word, at) => (isQuery(word) ? quotedAgain(before, at) : [])), ...after];
  return queries.length === 0 ? words : [...before.filter((word) => !isQuery(word)), '--', ...queries];
}

/** Runs a command without loading the others. */
async function runOne(module: CommandModule, words: string[]): Promise<void> {
  const usage = String(module.command).replace(/^\S+/, '$0');
  const given = /[<[]/.test(usage) ? asArguments(words) : words;
  const [commandName] = String(module.command).split(' ');
  const handler: CommandModule['handler'] = (args) => module.handler({ ...args, commandName });
  await baseParser([module], words)
    .command({ ...module, command: usage, handler, aliases: [] })
    .help(false)
    .version(false)
    .parseAsync(given);
}

/**
 * The words with those after `--` marked as arguments, whatever they begin with: yargs leaves them out of a command's arguments, or
 * takes them for options. No word of a command line contains a NUL.
 */
function asArguments(words: string[]): string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : [...words.slice(0, end), ...words.slice(end + 1).map((word) => `\0${word}`)];
}

function withoutMarks(args: Record<string, unknown>): void {
  const bare = (value: unknown) => (typeof value === 'string' ? value.replace(/^\0/, '') : value);
  for (const [name, value] of Object.entries(args)) {
    args[name] = Array.isArray(value) ? value.map(bare) : bare(value);
  }
}

/** The shell turns `oauth -"rate limit"` into `-rate limit`. A query that begins with an excluded word stands alone, or after options. */
function quotedAgain(words: string[], at: number): string {
  const [option = '', previous = '', word = '', next = '-'] = [-2, -1, 0, 1].map((by) => words[at + by]);
  const isInQuery = at === 0 ? !next.startsWith('-') : !previous.startsWith('-') && !option.startsWith('-');
  const isExclusion = /^-\p{L}/u.test(word) && /\s/.test(word) && !word.includes('"');
  return isInQuery && isExclusion ? `-"${word.slice(1)}"` : word;
}

/** Whether a command cannot run alone. Its help then precedes the error. */
function needsWords({ command }: CommandModule): boolean {
  return String(command).includes('<');
}

/** The help of one command, of the common ones, or of all. */
async function showHelp(word?: string, ofAll = false): Promise<void> {
  if (word === undefined) return (await import('./help/print-help.ts')).printHelp(ofAll);
  const name = commandNamed(word);
  return name === null ? rejectCommand(word) : printCommandHelp(name);
}

async function printCommandHelp(name: CommandName): Promise<void> {
  const { helpWidth, renderExamples } = await import('./help/print-help.ts');
  const columns = helpWidth();
  const module = await loadCommand(name);
  const parser = baseParser([module], []);
  const examples: [command: string, purpose: string][] = [];
  // yargs would break commands anywhere, to align the purposes in a second column.
  parser.example = ((command: string, purpose: string) => {
    examples.push([command.replaceAll('$0', 'smart-fork'), purpose]);
    return parser;
  }) as Argv['example'];
  await parser
    .command(module)
    .help()
    .version(false)
    // These are explained once, in the general help.
    .hide('help')
    .hide('color')
    .hide('debug')
    .wrap(columns)
    .parseAsync([name, '--help'], {}, (_error: unknown, _args: unknown, help: string) => {
      // yargs adds this to every argument that may be repeated.
      const text = help.replace(/(?<! ) *\[array\]( \[required\])? \[default: \[\]\]/, '$1');
      print(`${[text, ...renderExamples(examples, columns), '', EPILOGUE].join('\n')}\n`);
    });
}

const EPILOGUE = 'All commands take --help, --no-color and --debug.';

/** @throws SmartForkError USAGE naming the most similar command */
async function rejectCommand(word: string): Promise<void> {
  const { hintForWord } = await import('./help/other-words.ts');
  const hint = hintForWord(word);
  if (hint !== null) throw new SmartForkError('USAGE', `unknown command "${word}"`, { hint });
  const modules = commandList()
    .flatMap(({ commands }) => commands)
    .map(({ name, aliases }) => ({ command: name, aliases, handler: () => undefined }));
  await baseParser(modules, [word]).command(modules).recommendCommands().help(false).parseAsync([word]);
}

function baseParser(modules: CommandModule[], words: string[]): Argv {
  const parser = yargs();
  return parser
    .scriptName('smart-fork')
    .locale('en')
    .updateStrings({ 'Show help': 'show help' })
    .parserConfiguration({ 'strip-aliased': true, 'parse-positional-numbers': false, 'populate--': true })
    .middleware((args) => withoutMarks(args), true)
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
        ? new Misuse(message ?? error?.message, { words, modules, options: optionsOf(parser) })
        : error;
    });
}

/** What yargs says about a command line, before it is reworded: the words are loaded only then. */
class Misuse extends Error {
  readonly #usage: Usage;

  constructor(message: string, usage: Usage) {
    super(message);
    this.#usage = usage;
  }

  async told(): Promise<SmartForkError> {
    const { usageError } = await import('./help/usage-error.ts');
    return usageError(this.message, this.#usage);
  }
}

/** The long options of the command that was given. */
function optionsOf(parser: Argv): string[] {
  const { key = {} } = (parser as Argv & { getOptions?(): { key?: object } }).getOptions?.() ?? {};
  return Object.keys(key).filter((name) => name.length > 1);
}

/**
 * If any other option is given twice, the last value counts. yargs can do this too (`duplicate-arguments-array`), but then keeps only the
 * last word of a query as well.
 */
function keepLast(args: Record<string, unknown>, modules: CommandModule[]): void {
  const words = modules.flatMap(({ command }) => /(?<!\w)(\w+)\.\./.exec(String(command))?.[1] ?? []);
  const options = modules.flatMap((module) => ('lists' in module ? (module.lists as string[]) : []));
  const lists = ['_', '--', ...words, ...options, ...REPEATABLE];
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value) && !lists.includes(name)) args[name] = value.at(-1);
  }
}

/** Without arguments, smart-fork asks what to do on a terminal, and otherwise prints its help. */
function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function report(error: SmartForkError, asJson: boolean): void {
  process.exitCode = EXIT.usage;
  const { code, message, hint } = error;
  if (asJson) {
    print(`${JSON.stringify({ error: { code, message, hint } })}\n`);
    return;
  }
  const { stdout, stderr, platform } = process;
  const terminal = createTerminal({ stdout, stderr, env: processEnvironment(), platform });
  terminal.err(renderError(error, terminal.errorLook));
}
