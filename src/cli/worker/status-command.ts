import type { Argv } from 'yargs';
import { EXIT, type GlobalArguments, runCommand } from '../run-command.ts';

export const statusCommand = {
  command: 'status',
  describe: 'show the background worker, its queue and its last error',
  builder: (yargs: Argv) =>
    yargs
      .option('json', { type: 'boolean', describe: 'print as JSON' })
      .example('$0 status', 'see whether the worker is running, and its queue'),
  handler: (args: GlobalArguments) =>
    runCommand(args, async ({ parts, terminal }) => {
      const { readStatus } = await import('../../compose/reports/read-status.ts');
      const status = await readStatus(parts);
      if (status.problems.length > 0) process.exitCode = EXIT.failed;
      if (args.json === true) return terminal.out(JSON.stringify(status));
      const { renderStatus } = await import('./render-status.ts');
      terminal.out(renderStatus(status, terminal, { nowMs: parts.machine.now() }));
    }),
};
