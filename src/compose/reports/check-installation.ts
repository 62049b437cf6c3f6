import { archiveSize } from '../../app/archive/archive-size.ts';
import { checkService } from '../../app/service/check-service.ts';
import { checkEntries } from '../../app/setup/check-entries.ts';
import { checkHealth } from '../../app/setup/check-health.ts';
import { checkServer } from '../../app/share/ask/server-state.ts';
import type { Environment } from '../../config/environment.ts';
import type { SmartForkError } from '../../domain/errors.ts';
import type { HealthCheck } from '../../domain/server-state.ts';
import { sumUnread } from '../../domain/session/unread.ts';
import { composeInit, homeProblems } from '../init.ts';
import { serverSealer } from '../key.ts';
import type { Parts } from '../parts.ts';
import { checkPatterns } from '../privacy.ts';
import { hasServices, serviceDependencies } from '../service/service.ts';
import { runningSessions } from '../sessions/running-sessions.ts';
import { modelFacts } from '../setup/model-facts.ts';
import { readWorkerStatus } from '../worker.ts';
import { checkCleanups } from './check-cleanups.ts';
import { databaseProblems, untrustedEvents } from './health.ts';

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
    unread: () => sumUnread(parts.state().unread()),
    unindexed: () => parts.unindexed(runningSessions(parts)),
    errors: () => parts.errors?.read() ?? [],
    now: parts.machine.now(),
    isWorking: readWorkerStatus(config.home).running,
  });
}

/** How long the archive's parts are compared with their digests; after that, only sizes are checked. */
const VERIFY_MS = 3000;

async function checkShared({ parts }: HealthRequest): Promise<HealthCheck[]> {
  const server = await parts.sharing();
  if (server === null) return [];
  return checkServer(await server.state());
}

async function checkAgents({ parts, env }: HealthRequest): Promise<HealthCheck[]> {
  const { homes, files, probe } = composeInit(parts.config, env);
  const there = homes
    .filter(({ exists }) => exists)
    .map((home) => ({ ...home, untrusted: () => untrustedEvents(home, files) }));
  return [...(await checkCleanups(parts, env)), ...(await checkEntries(there, files, probe))];
}

async function checkOwnService({ parts: { config }, env }: HealthRequest): Promise<HealthCheck[]> {
  if (!hasServices(process.platform)) return [];
  return checkService(serviceDependencies(config, env));
}
