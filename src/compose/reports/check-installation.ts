import type { Environment } from '../../config/environment.ts';
import type { SmartForkError } from '../../domain/errors.ts';
import type { HealthCheck } from '../../domain/server-state.ts';
import type { Parts } from '../parts.ts';

interface HealthRequest {
  parts: Parts;
  env: Environment;
  /** Errors in settings files and variables. */
  invalidSettings: SmartForkError[];
}

/** Checks the installation: the program, the server, and the agents' settings. */
export async function checkInstallation(request: HealthRequest): Promise<HealthCheck[]> {
  return [
    ...(await checkProgram(request)),
    ...(await checkShared(request)),
    ...(await checkAgents(request)),
    ...(await checkOwnService(request)),
  ];
}

async function checkProgram({ parts, invalidSettings }: HealthRequest): Promise<HealthCheck[]> {
  const { config } = parts;
  const { archiveSize } = await import('../../app/archive/archive-size.ts');
  const { checkHealth } = await import('../../app/setup/check-health.ts');
  const { checkPatterns } = await import('../privacy.ts');
  const { homeProblems } = await import('../init.ts');
  const { serverSealer } = await import('../key.ts');
  const { databaseProblems } = await import('./health.ts');
  const { modelFacts } = await import('../setup/model-facts.ts');
  const { readWorkerStatus } = await import('../worker.ts');
  return checkHealth({
    nodeVersion: process.version,
    home: config.home,
    homeProblems: homeProblems(config.home),
    invalidSettings,
    withoutEffect: config.withoutEffect,
    checkPatterns: () => checkPatterns(config.privacy.patterns),
    // Invalid settings turn encryption on and are reported on their own, so a missing key is not reported too.
    sealingKey: () => (invalidSettings.length > 0 ? null : (serverSealer(config)?.keyId ?? null)),
    databases: () => databaseProblems(config.home),
    openStore: parts.local,
    model: () => modelFacts(parts),
    reranker: parts.searchAids.reranker,
    notEmbedded: async () => (await parts.sharing())?.notEmbedded() ?? null,
    sources: parts.sources,
    archive: () => archiveSize(parts.archive, config.archive),
    damagedParts: () => parts.archive.verify(VERIFY_MS),
    isWorking: readWorkerStatus(config.home).running,
  });
}

/** How long the archive's parts are compared with their digests; after that, only sizes are checked. */
const VERIFY_MS = 10_000;

async function checkShared({ parts }: HealthRequest): Promise<HealthCheck[]> {
  const server = await parts.sharing();
  if (server === null) return [];
  const { checkServer } = await import('../../app/share/read/server-state.ts');
  return checkServer(await server.state());
}

async function checkAgents({ parts: { config }, env }: HealthRequest): Promise<HealthCheck[]> {
  const { composeInit } = await import('../init.ts');
  const { checkEntries } = await import('../../app/setup/check-entries.ts');
  const { cleanupDays, untrustedEvents } = await import('./health.ts');
  const { checkCleanup } = await import('../../app/setup/check-cleanup.ts');
  const { homes, files, probe } = composeInit(config, env);
  const there = homes
    .filter(({ exists }) => exists)
    .map((home) => ({ ...home, untrusted: () => untrustedEvents(home, files) }));
  const days = there.flatMap((home) => cleanupDays(home, files) ?? []);
  return [...checkCleanup(days, config.archive.enabled), ...(await checkEntries(there, files, probe))];
}

async function checkOwnService({ parts: { config }, env }: HealthRequest): Promise<HealthCheck[]> {
  const { hasServices, serviceDependencies } = await import('../service/service.ts');
  if (!hasServices(process.platform)) return [];
  const { checkService } = await import('../../app/service/check-service.ts');
  return checkService(serviceDependencies(config, env));
}
