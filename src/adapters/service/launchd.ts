import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AGENT_LABEL, launchAgent } from '../../domain/service/launch-agent.ts';
import type { ServiceManager } from '../../ports/service/service-manager.ts';
import { makeFolder } from '../system/make-folder.ts';
import { type RunProgram, succeeds } from './run-program.ts';

/** @param folder for example `~/Library/LaunchAgents`. */
export function createLaunchd(
  { folder, log, uid }: { folder: string; log: string; uid: number },
  run: RunProgram,
): ServiceManager {
  const path = join(folder, `${AGENT_LABEL}.plist`);
  const [domain, service] = [`gui/${uid}`, `gui/${uid}/${AGENT_LABEL}`];
  const isRegistered = () => succeeds(run(['print', service]));
  const stop = async () => {
    if (await isRegistered()) await run(['bootout', service]);
  };
  return {
    name: 'launchd',
    path,
    log,
    text: launchAgent,
    isRegistered,
    stop,
    async start() {
      // launchd does not create a folder for the log.
      makeFolder(dirname(log));
      await stop();
      await run(['enable', service]);
      await bootstrap(() => run(['bootstrap', domain, path]));
    },
  };
}

const TRIES = 5;

/** A service that was just booted out may take a moment to end, and cannot be registered again until then. */
async function bootstrap(run: () => Promise<void>, tries = TRIES): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (tries === 1) throw error;
    await wait(PAUSE_MS);
    await bootstrap(run, tries - 1);
  }
}

const PAUSE_MS = 500;
