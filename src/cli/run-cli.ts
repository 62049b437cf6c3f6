import yargs, { type Argv, type CommandModule } from 'yargs';
import { EXIT } from './run-command.ts';
import { version } from './version.ts';

/** The commands in the order of `--help`; each is loaded when it is run. */
const COMMANDS: Record<string, () => Promise<CommandModule>> = {
  demo: async () => command((await import('./setup/demo-command.ts')).demoCommand),
  init: async () => command((await import('./setup/init-command.ts')).initCommand),
  index: async () => command((await import('./index/index-command.ts')).indexCommand),
  search: async () => command((await import('./search/search-command.ts')).searchCommand),
  fork: async () => command((await import('./fork/fork-command.ts')).forkCommand),
  which: async () => command((await import('./trace/which-command.ts')).whichCommand),
  blame: async () => command((await import('./trace/blame-command.ts')).blameCommand),
  restore: async () => command((await import('./archive/restore-command.ts')).restoreCommand),
  chain: async () => command((await import('./fork/chain-command.ts')).chainCommand),
  retrieve: async () => command((await import('./read/retrieve-command.ts')).retrieveCommand),
  show: async () => command((await import('./read/show-command.ts')).showCommand),
  sessions: async () => command((await import('./read/sessions-command.ts')).sessionsCommand),
  stats: async () => command((await import('./search/stats-command.ts')).statsCommand),
  export: async () => command((await import('./export/export-command.ts')).exportCommand),
  doctor: async () => command((await import('./setup/doctor-command.ts')).doctorCommand),
  config: async () => command((await import('./setup/config-command.ts')).configCommand),
  model: async () => command((await import('./index/model-command.ts')).modelCommand),
  key: async () => command((await import('./privacy/key-command.ts')).keyCommand),
  scan: async () => command((await import('./privacy/scan-command.ts')).scanCommand),
  reindex: async () => command((await import('./index/reindex-command.ts')).reindexCommand),
  migrate: async () => command((await import('./share/migrate-command.ts')).migrateCommand),
  forget: async () => command((await import('./privacy/forget-command.ts')).forgetCommand),
  tag: async () => command((await import('./read/tag-command.ts')).tagCommand),
  status: async () => command((await import('./worker/status-command.ts')).statusCommand),
  worker: async () => command((await import('./worker/worker-command.ts')).workerCommand),
  uninstall: async () => command((await import('./setup/uninstall-command.ts')).uninstallCommand),
  mcp: async () => command((await import('./worker/mcp-command.ts')).mcpCommand),
};

/** Parses the command line and runs its command; sets the exit code. */
export async function runCli(words: string[]): Promise<void> {
  try {
    const [name = '', ...rest] = words.length === 0 && isInteractive() ? ['fork'] : words;
    const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    const spoken = QUERY_COMMANDS.has(name) ? withWordsLast(rest) : rest;
    if (load !== undefined && !rest.some(asksForHelp)) await runOne(await load(), spoken);
    else await runAny([name, ...spoken].filter((word) => word !== ''));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const hint = `See smart-fork ${nameIn(words)}--help.`;
    if (words.includes('--json')) {
      process.stdout.write(`${JSON.stringify({ error: { code: 'USAGE', message: error.message, hint } })}\n`);
    } else {
      process.stderr.write(`error: ${error.message}\nhint: ${hint}\n`);
    }
    process.exitCode = EXIT.usage;
  }
}

/** The commands that take a free-text query. */
const QUERY_COMMANDS = new Set(['search', 's', 'fork', 'demo']);

/** Options that may be given several times. */
const REPEATABLE = ['not', 'exclude'];

/**
 * Arguments that begin with a dash but are no options go behind `--`: quoted queries, which contain a space, and words to leave
 * out (`-kubernetes`).
 */
function withWordsLast(words: string[]): string[] {
  const end = words.indexOf('--');
  const [before, after] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
  const isQuery = (word: string) => /^-[^=]*\s|^-(?!n\d)\p{L}[\p{L}\p{N}_-]{2,}$/u.test(word);
  const queries = [...before.filter(isQuery), ...after];
  return queries.length === 0 ? words : [...before.filter((word) => !isQuery(word)), '--', ...queries];
}

class UsageError extends Error {}

/** Runs a command named on the command line without loading the others or laying out help. */
async function runOne(module: CommandModule, words: string[]): Promise<void> {
  const usage = String(module.command).replace(/^\S+/, '$0');
  await baseParser([module])
    .command({ ...module, command: usage, aliases: [] })
    .help(false)
    .version(false)
    .parseAsync(words);
}

async function runAny(words: string[]): Promise<void> {
  const modules = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const cli = baseParser(modules)
    .usage('$0 <command>\n\nFind the past agent session that holds the context you need, and fork from it.')
    .command(modules)
    .completion('completion', 'print a completion script for bash or zsh')
    .example('$0 demo', 'try it on sample sessions')
    .example('$0 init', 'set up your agents and index their sessions')
    .example('$0 fork "add rate limiting to the API"', 'pick a session and continue from it')
    .example('$0 search "add rate limiting to the API"', 'find the session to fork from')
    .recommendCommands()
    .version(version())
    .alias('version', 'V')
    .alias('help', 'h')
    .wrap(Math.min(100, process.stdout.columns || 100));
  if (words.length === 0) cli.showHelp('log');
  // parseAsync would print the script and then reject the unknown argument.
  else if (words[0] === 'completion') cli.showCompletionScript();
  else await cli.parseAsync(words);
}

/** Replaces texts of yargs that are unclear or unlike ours. */
const STRINGS = {
  'Show help': 'show help',
  'Show version number': 'show the version',
  'Did you mean %s?': 'Unknown command. Did you mean %s?',
  'Implications failed:': 'An option needs another one:',
  'Arguments %s and %s are mutually exclusive': '--%s and --%s cannot be combined',
};

function baseParser(modules: CommandModule[]): Argv {
  return yargs()
    .scriptName('smart-fork')
    .locale('en')
    .updateStrings(STRINGS)
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
        ? new UsageError(message ?? error?.message)
        : error;
    });
}

/**
 * Of an option given twice, the last value counts. yargs can do that too (`duplicate-arguments-array`), but then it also keeps
 * only the last word of a query.
 */
function keepLast(args: Record<string, unknown>, modules: CommandModule[]): void {
  const lists = modules.flatMap(({ command }) => /(\w+)\.\./.exec(String(command))?.[1] ?? []);
  for (const [name, value] of Object.entries(args)) {
    if (Array.isArray(value) && !['_', '--', ...lists, ...REPEATABLE].includes(name))
      args[name] = value.at(-1);
  }
}

/** Without arguments, smart-fork asks what to do on a terminal, and otherwise shows its help. */
function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

function asksForHelp(word: string): boolean {
  return (
    word === '--help' ||
    word === '-h' ||
    word === '--version' ||
    word === '-V' ||
    word === '--get-yargs-completions'
  );
}

function nameIn([name]: string[]): string {
  return name !== undefined && Object.hasOwn(COMMANDS, name) ? `${name} ` : '';
}

/** Erases the type of a command's arguments: yargs takes a list of one type. */
function command<T>(module: {
  command: string;
  describe: string;
  builder: (yargs: Argv) => Argv<T>;
  handler: (args: never) => Promise<void>;
}): CommandModule {
  return module as unknown as CommandModule;
}
