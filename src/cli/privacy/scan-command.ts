import type { Argv } from 'yargs';
import { type GlobalArguments, runCommand } from '../run-command.ts';

export const scanCommand = {
  command: 'scan',
  describe: 'count the secrets that redaction finds in your transcripts',
  builder: (yargs: Argv) =>
    yargs
      .option('json', { type: 'boolean', describe: 'print the counts as JSON' })
      .example('$0 scan', 'counts per rule and per session, never the secrets themselves'),
  handler: (args: GlobalArguments) =>
    runCommand(args, async ({ parts, terminal, signal }) => {
      const { scanSecrets } = await import('../../app/privacy/scan-secrets.ts');
      const { createProgress } = await import('../terminal/progress/progress.ts');
      const bar = args.json === true ? null : createProgress({ verb: 'Scanning', terminal });
      const { sources, redactor } = parts;
      const report = await scanSecrets(
        { sources, redactor },
        { signal, onProgress: (progress) => bar?.update(progress) },
      );
      bar?.done();
      if (args.json === true) return terminal.out(JSON.stringify(report));
      const { renderScan } = await import('./render-scan.ts');
      terminal.out(renderScan(report, terminal));
    }),
};
