import { defineCommand, runCommand } from '../run-command.ts';

export const scanCommand = defineCommand({
  command: 'scan',
  describe: 'count the secrets in your transcripts',
  builder: (yargs) =>
    yargs
      .option('json', { type: 'boolean', describe: 'print the counts as JSON' })
      .example('$0 scan', 'count them per rule and per session; the secrets are never printed'),
  handler: (args) =>
    runCommand(args, async ({ parts, terminal, signal }) => {
      const { scanSecrets } = await import('../../app/privacy/scan-secrets.ts');
      const { createProgress } = await import('../terminal/progress/progress.ts');
      const bar = args.json === true ? null : createProgress({ verb: 'Scanning', terminal });
      const report = await scanSecrets(parts, { signal, onProgress: (progress) => bar?.update(progress) });
      bar?.done();
      if (args.json === true) return terminal.out(JSON.stringify(report));
      const { MAX_SESSIONS, renderScan } = await import('./render-scan.ts');
      const { withNames } = await import('../shared/short-ids.ts');
      const listed = report.sessions.slice(0, MAX_SESSIONS).map(({ session_id }) => session_id);
      const look = parts.localFile.exists() ? await withNames(terminal, parts, listed) : terminal;
      terminal.out(renderScan(report, look));
    }),
});
