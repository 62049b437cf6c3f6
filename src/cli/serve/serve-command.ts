import { defineCommand, runCommand } from '../run-command.ts';
import { numberOption } from '../shared/number-option.ts';

export const serveCommand = defineCommand({
  command: 'serve',
  describe: 'run the local server: the page, REST, MCP over HTTP, and the worker',
  builder: (yargs) =>
    yargs
      .option(
        'port',
        numberOption('--port', {
          whole: true,
          min: 0,
          max: 65_535,
          describe: 'port (default serve.port, or the next free one); 0: any free one',
        }),
      )
      .option('host', {
        type: 'string',
        requiresArg: true,
        describe: 'address to listen on; one that other machines can reach requires --token-file',
      })
      .option('token-file', { type: 'string', requiresArg: true, describe: 'file with the token' })
      .option('open', { type: 'boolean', describe: 'open the page in the browser' })
      .option('worker', {
        type: 'boolean',
        default: true,
        describe: 'index in the background; --no-worker leaves indexing to the hooks',
      })
      .option('json', { type: 'boolean', describe: 'print one line of JSON with the address' })
      .epilogue(
        'Only one server runs per machine. A second serve prints the address of the first; with --open it also opens its page.',
      )
      .example('$0 serve --open', 'start it, and open the page')
      .example('$0 serve --port 8750', 'on another port'),
  handler: (args) =>
    runCommand(
      args,
      async (context) => {
        const { runServe } = await import('./run-serve.ts');
        await runServe(context, args);
      },
      { runsUntilStopped: true },
    ),
});
