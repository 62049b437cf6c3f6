import type { Argv } from 'yargs';
import type { HealthCheck } from '../../domain/server-state.ts';
import { type CommandContext, EXIT, type GlobalArguments, runCommand } from '../run-command.ts';

export const doctorCommand = {
  command: 'doctor',
  describe: 'check the installation and say how to fix what is wrong',
  builder: (yargs: Argv) =>
    yargs
      .option('json', { type: 'boolean', describe: 'print {"checks": [...]}' })
      .example('$0 doctor', 'check everything'),
  handler: (args: GlobalArguments) =>
    runCommand(
      args,
      async (context) => {
        const { terminal } = context;
        const checks = [
          ...(await checkProgram(context)),
          ...(await checkShared(context)),
          ...(await checkAgents(context)),
        ];
        if (checks.some(({ status }) => status === 'fail')) process.exitCode = EXIT.failed;
        if (args.json === true) return terminal.out(JSON.stringify({ checks }));
        const { renderDoctor } = await import('./render-doctor.ts');
        terminal.out(renderDoctor(checks, terminal));
      },
      { withInvalidSettings: true },
    ),
};

async function checkProgram({ config, parts, invalidSettings }: CommandContext): Promise<HealthCheck[]> {
  const { archiveSize } = await import('../../app/archive/archive-size.ts');
  const { checkHealth } = await import('../../app/setup/check-health.ts');
  const { checkPatterns } = await import('../../compose/privacy.ts');
  const { homeProblems } = await import('../../compose/init.ts');
  const { serverSealer } = await import('../../compose/key.ts');
  const { databaseProblems } = await import('../../compose/setup/health.ts');
  const { readWorkerStatus } = await import('../../compose/worker.ts');
  return checkHealth({
    nodeVersion: process.version,
    home: config.home,
    homeProblems: homeProblems(config.home),
    invalidSettings,
    checkPatterns: () => checkPatterns(config.privacy.patterns),
    // Invalid settings are reported on their own, and turn encryption on: don't report a missing key too.
    sealingKey: () => (invalidSettings.length > 0 ? null : (serverSealer(config)?.keyId ?? null)),
    databases: () => databaseProblems(config.home),
    openStore: parts.local,
    modelId: config.embedding.service?.model ?? config.embedding.model,
    modelState: parts.embedding.state,
    notEmbedded: async () => (await parts.sharing())?.notEmbedded() ?? null,
    sources: parts.sources,
    archive: () => archiveSize(parts.archive, config.archive),
    damagedParts: () => parts.archive.verify(VERIFY_MS),
    isWorking: readWorkerStatus(config.home).running,
  });
}

/** How long the archive's parts are compared with their digests; after that, only their sizes are. */
const VERIFY_MS = 10_000;

async function checkShared({ parts }: CommandContext): Promise<HealthCheck[]> {
  const server = await parts.sharing();
  if (server === null) return [];
  const { checkServer } = await import('../../app/share/read/server-state.ts');
  return checkServer(await server.state());
}

async function checkAgents({ config, env }: CommandContext): Promise<HealthCheck[]> {
  const { composeInit } = await import('../../compose/init.ts');
  const { checkEntries } = await import('../../app/setup/check-entries.ts');
  const { cleanupDays, untrustedEvents } = await import('../../compose/setup/health.ts');
  const { checkCleanup } = await import('../../app/setup/check-cleanup.ts');
  const { homes, files, probe } = composeInit(config, env);
  const there = homes
    .filter(({ exists }) => exists)
    .map((home) => ({ ...home, untrusted: () => untrustedEvents(home, files) }));
  const days = there.flatMap((home) => cleanupDays(home, files) ?? []);
  return [...checkCleanup(days, config.archive.enabled), ...(await checkEntries(there, files, probe))];
}
