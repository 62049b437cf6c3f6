import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';
import { numberOption } from '../shared/number-option.ts';

export const CONTEXT_FORMATS = ['markdown', 'json', 'jsonl'] as const;

interface RetrieveArguments extends GlobalArguments {
  id: string;
  query?: string | undefined;
  maxTokens?: number | undefined;
  full?: boolean | undefined;
  format?: string | undefined;
}

export const retrieveCommand = {
  command: 'retrieve <id>',
  describe: "print a session's context, to put it before an agent",
  builder: (yargs: Argv) =>
    yargs
      .positional('id', {
        type: 'string',
        demandOption: true,
        describe: 'session id, or the beginning of one',
      })
      .option('query', {
        type: 'string',
        alias: 'q',
        describe: 'what matters: prefer the passages that match',
      })
      .option(
        'max-tokens',
        numberOption({
          describe: 'budget for the whole text (default 8000)',
        }),
      )
      .option('full', { type: 'boolean', describe: 'the whole conversation' })
      .option('format', {
        type: 'string',
        choices: CONTEXT_FORMATS,
        default: 'markdown',
        describe: 'how to print it',
      })
      .option('json', { type: 'boolean', describe: 'the same as --format json' })
      .conflicts('full', 'max-tokens')
      .example('$0 retrieve 8402b1ed --query "websocket reconnect"', 'the context within 8,000 tokens')
      .example('$0 retrieve 8402b1ed --full > session.md', 'all of it'),
  handler: (args: RetrieveArguments) =>
    runCommand(args, async (context) => {
      const { runRetrieve } = await import('./run-retrieve.ts');
      const format =
        args.json === true ? 'json' : (CONTEXT_FORMATS.find((one) => one === args.format) ?? 'markdown');
      await runRetrieve(context, { ...args, format });
    }),
};
