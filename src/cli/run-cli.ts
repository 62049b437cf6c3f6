import yargs from 'yargs';
import { configCommand } from './commands/config.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { forgetCommand } from './commands/forget.ts';
import { indexCommand } from './commands/index.ts';
import { mcpCommand } from './commands/mcp.ts';
import { modelCommand } from './commands/model.ts';
import { reindexCommand } from './commands/reindex.ts';
import { retrieveCommand } from './commands/retrieve.ts';
import { searchCommand } from './commands/search.ts';
import { sessionsCommand } from './commands/sessions.ts';
import { showCommand } from './commands/show.ts';
import { statsCommand } from './commands/stats.ts';
import { tagCommand } from './commands/tag.ts';
import { EXIT } from './run-command.ts';
import { version } from './version.ts';

/** Parses the command line and runs its command; sets the exit code. */
export async function runCli(words: string[]): Promise<void> {
  const cli = yargs()
    .scriptName('smart-fork')
    .usage('$0 <command>\n\nFind the past agent session that holds the context you need, and fork from it.')
    .locale('en')
    .parserConfiguration({ 'strip-aliased': true, 'strip-dashed': false, 'parse-positional-numbers': false })
    .command(demoCommand)
    .command(indexCommand)
    .command(searchCommand)
    .command(retrieveCommand)
    .command(showCommand)
    .command(sessionsCommand)
    .command(statsCommand)
    .command(doctorCommand)
    .command(configCommand)
    .command(modelCommand)
    .command(reindexCommand)
    .command(forgetCommand)
    .command(tagCommand)
    .command(mcpCommand)
    .completion('completion', 'print a completion script for bash or zsh')
    .option('color', {
      type: 'boolean',
      default: undefined,
      describe: 'colours; --no-color turns them off',
      global: true,
    })
    .option('debug', { type: 'boolean', describe: 'show where an error came from', global: true })
    .example('$0 demo', 'see it work on sample sessions')
    .example('$0 index', 'index the sessions of this machine')
    .example('$0 search "add rate limiting to the API"', 'find the session to fork from')
    .strict()
    .recommendCommands()
    .version(version())
    .alias('version', 'V')
    .alias('help', 'h')
    .wrap(Math.min(100, process.stdout.columns || 100))
    .exitProcess(false)
    .fail((message, error) => {
      throw error ?? new UsageError(message);
    });
  if (words.length === 0) {
    cli.showHelp('log');
    return;
  }
  try {
    await cli.parseAsync(words);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(
      `error: ${error.message}\nhint: smart-fork ${commandOf(words)}--help shows how it is used\n`,
    );
    process.exitCode = EXIT.usage;
  }
}

class UsageError extends Error {}

function commandOf(words: string[]): string {
  const command = words.find((word) => !word.startsWith('-'));
  return command !== undefined && /^[a-z]+$/.test(command) ? `${command} ` : '';
}
