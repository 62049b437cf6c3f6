import type { Argv } from 'yargs';
import { EXIT, type GlobalArguments, runCommand } from '../run-command.ts';

export const doctorCommand = {
  command: 'doctor',
  describe: 'check everything smart-fork needs, with a fix for each fault',
  builder: (yargs: Argv) =>
    yargs
      .option('json', { type: 'boolean', describe: 'print {"checks": [...]}' })
      .example('$0 doctor', 'what is there, and what to do about what is not'),
  handler: (args: GlobalArguments) =>
    runCommand(args, async ({ config, parts, terminal, env }) => {
      const { checkHealth } = await import('../../app/check-health.ts');
      const checks = await checkHealth({
        nodeVersion: process.version,
        home: config.home,
        homeProblems: parts.homeProblems(),
        openStore: parts.local,
        modelId: config.embedding.model,
        modelState: parts.modelState,
        sources: parts.sources,
      });
      const server = await parts.sharing();
      if (server !== null) {
        const { checkServer } = await import('../../app/sync/server-state.ts');
        checks.push(...checkServer(await server.state()));
      }
      const { composeInit } = await import('../../compose-init.ts');
      const { checkEntries } = await import('../../app/check-entries.ts');
      const { homes, files, probe } = composeInit(config, env);
      checks.push(
        ...(await checkEntries(
          homes.filter(({ exists }) => exists),
          files,
          probe,
        )),
      );
      if (checks.some(({ status }) => status === 'fail')) process.exitCode = EXIT.failed;
      if (args.json === true) return terminal.out(JSON.stringify({ checks }));
      const { renderDoctor } = await import('../output/render-doctor.ts');
      terminal.out(renderDoctor(checks, terminal));
    }),
};
