import type { Argv } from 'yargs';
import { EXIT, type GlobalArguments, runCommand } from '../run-command.ts';

export const statusCommand = {
  command: 'status',
  describe: 'show the background worker, its queue and its last error',
  builder: (yargs: Argv) => yargs.option('json', { type: 'boolean', describe: 'print as JSON' }),
  handler: (args: GlobalArguments) =>
    runCommand(args, async ({ config, parts, terminal }) => {
      const { readWorkerStatus } = await import('../../compose/worker.ts');
      const { databaseProblems } = await import('../../compose/setup/health.ts');
      const problems = databaseProblems(config.home).map(({ problem }) => problem);
      if (problems.length > 0) process.exitCode = EXIT.failed;
      const isReadable = problems.length === 0;
      const worker = readWorkerStatus(config.home);
      const { archiveSize } = await import('../../app/archive/archive-size.ts');
      const archive = await archiveSize(parts.archive, config.archive);
      const server = isReadable ? ((await (await parts.sharing())?.state()) ?? null) : null;
      const here =
        isReadable && parts.localFile.exists()
          ? (await (await parts.local()).count()).waiting
          : { intents: 0, chunks: 0 };
      const waiting = server?.embedding?.waiting ?? here;
      if (args.json === true)
        return terminal.out(JSON.stringify({ worker, waiting, archive, server, problems }));
      const { renderStatus } = await import('./render-status.ts');
      terminal.out(
        renderStatus(worker, { waiting, archive, server, problems }, terminal, {
          nowMs: parts.machine.now(),
        }),
      );
    }),
};
