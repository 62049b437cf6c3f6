import { hostname } from 'node:os';
import { plural } from '../../domain/text/time-text.ts';
import { defineCommand, runCommand } from '../run-command.ts';

export const workerCommand = defineCommand({
  command: 'worker',
  describe: 'run the background worker; hooks start it automatically',
  builder: (yargs) =>
    yargs
      .option('drain', { type: 'boolean', describe: 'exit when there is nothing left to do' })
      .option('follow', { type: 'boolean', describe: 'run until stopped' })
      .option('watch', {
        type: 'boolean',
        implies: 'follow',
        describe: 'watch transcripts for changes, without hooks',
      })
      .option('json', { type: 'boolean', describe: 'print a summary as JSON' })
      .conflicts('drain', 'follow')
      .example('$0 worker --drain', 'catch up, then exit')
      .example('$0 worker --follow --watch', 'index continuously without hooks'),
  handler: (args) =>
    runCommand(args, async ({ config, parts, terminal, signal }) => {
      const { runWorkerProcess, workerOpening } = await import('../../compose/worker.ts');
      const report = await runWorkerProcess({
        home: config.home,
        host: hostname(),
        until: args.drain === true ? 'drain' : args.follow === true ? 'follow' : 'idle',
        watch: args.watch === true,
        errors: parts.errors,
        open: workerOpening(config),
        signal,
      });
      if (args.json === true) return terminal.out(JSON.stringify(report));
      if (args.drain !== true && args.follow !== true) return;
      const text =
        report.ended === 'busy'
          ? 'Another worker is running.'
          : `Worker ${report.ended}: ${plural(report.jobs, 'job')}.`;
      terminal.out(text);
    }),
});
