import { createTurnCache } from '../app/read/turns/open-turns.ts';
import { composeFork } from '../compose/fork.ts';
import { compose } from '../compose/parts.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { processEnvironment } from '../config/environment.ts';
import { settingsStamp } from '../config/files.ts';
import { errorText } from '../domain/errors.ts';
import type { PartsInUse, RequestContext } from './context.ts';

/** How long running requests may delay a change of settings or store. */
const LONGEST_DRAIN_MS = 5000;
/** Keeps the model loaded: about the longest time that a timer can wait. */
const NEVER_MS = 2 ** 31 - 1;

/** Requests do not come from the agent that may have started this process, so its session and project do not count. */
const OF_NO_AGENT = { currentSessionId: null, agentProcess: -1, projectDirectory: null };

/** Opens the parts for a process that may run for weeks. */
export async function createPartsInUse(first: Config, log: (message: string) => void): Promise<PartsInUse> {
  let stamp = settingsStamp(first.home);
  let open = await openParts(first, log);
  let running = 0;
  let changing: Promise<void> | null = null;
  let onIdle: () => void = () => undefined;

  const idle = async () => {
    if (running === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONGEST_DRAIN_MS);
      onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };
  const change = async () => {
    const now = settingsStamp(first.home);
    const isStale = now !== stamp;
    if (running > 0 && !isStale && !(await open.parts.localFile.isReplaced())) return;
    await idle();
    if (!isStale) return open.parts.noticeChanges();
    stamp = now;
    try {
      const config = await loadConfig();
      await closeParts(open);
      open = await openParts(config, log);
    } catch (error) {
      log(`ignoring the changed settings: ${errorText(error)}`);
    }
  };
  return {
    async use(work) {
      changing ??= change().finally(() => {
        changing = null;
      });
      await changing;
      running += 1;
      try {
        return await work(open);
      } finally {
        running -= 1;
        if (running === 0) onIdle();
      }
    },
    close: () => closeParts(open),
  };
}

async function openParts(config: Config, log: (message: string) => void): Promise<RequestContext> {
  const embedding = { ...config.embedding, idleMs: NEVER_MS };
  const parts = await compose({ ...config, ...OF_NO_AGENT, embedding });
  const fork = composeFork(parts, processEnvironment(), ({ message }) =>
    log(`could not record this fork: ${message}`),
  );
  return { parts, fork, cache: createTurnCache() };
}

async function closeParts({ parts, fork }: RequestContext): Promise<void> {
  fork.close();
  await parts.close();
}
