import type { TurnCache } from '../app/read/turns/open-turns.ts';
import { type Environment, processEnvironment } from '../config/environment.ts';
import { settingsPath } from '../config/files.ts';
import { listSettings } from '../config/list-settings.ts';
import type { SmartForkError } from '../domain/errors.ts';
import type { Caller } from '../operations/caller.ts';
import type { Open } from '../operations/open.ts';
import { type Parts, sendChanges } from './parts.ts';
import { openLogins } from './serve/logins.ts';

interface Door {
  /** Opens the store as this door does; default: creates it if there is none. */
  store?: Open['store'];
  /** The repository whose sessions alone the door may show; default: all. */
  limit?: Open['limit'];
  /** Turns read before, at a door that answers many requests. */
  cache?: TurnCache;
  /** Parts for forks that the door closes itself. */
  fork?: Open['fork'];
  env?: Environment;
  /** Errors in settings files and variables, for `doctor`. */
  invalidSettings?: SmartForkError[];
}

/** What operations work with, from the parts. */
export function openOperations(parts: Parts, door: Door = {}): Open {
  const { env = processEnvironment(), invalidSettings = [] } = door;
  const { config } = parts;
  return {
    ...parts,
    store: door.store ?? parts.store,
    limit: door.limit ?? (async () => null),
    cache: door.cache ?? { get: (_, read) => read() },
    settings: config.search,
    send: (caller) => sendFor(parts, caller),
    fork:
      door.fork ??
      (async () => {
        const { composeFork } = await import('./fork.ts');
        return composeFork(parts, env, () => undefined).dependencies();
      }),
    threads: async () => (await import('./agents/threads.ts')).composeThreads(config, env),
    proseHtml: async () => (await import('../adapters/markdown/prose-html.ts')).proseHtml,
    git: async () => (await import('./trace.ts')).createGitReader(env),
    embed: async (signal) => {
      if ((await parts.embedding.state()).state === 'server') return 0;
      const { embedPending } = await import('../app/index/embed-pending.ts');
      const [store, embedder] = [await parts.local(), await parts.embedding.embedder()];
      return embedPending({ store, embedder }, { signal, slice: config.embedding.batch ?? undefined });
    },
    forget: async (ids) => {
      const [{ removeExported }, { forgetSessions }] = await Promise.all([
        import('./export.ts'),
        import('../app/privacy/forget-sessions.ts'),
      ]);
      removeExported(parts, ids);
      const localId = (await parts.sharing())?.localId() ?? ((id: string) => id);
      const store = await parts.store();
      return forgetSessions({ ...parts, store, state: parts.state(), localId, now: parts.machine.now }, ids);
    },
    logins: openLogins(config),
    reports: {
      stats: async (filter) =>
        (await import('./reports/read-stats.ts')).readStats(parts, filter, await seenBy(door)),
      status: async () => (await import('./reports/read-status.ts')).readStatus(parts),
      doctor: async () =>
        (await import('./reports/check-installation.ts')).checkInstallation({ parts, env, invalidSettings }),
      settings: () => ({ path: settingsPath(config.home), settings: listSettings(config) }),
      usage: async (filter) => (await import('./reports/read-usage.ts')).usageHere(parts, filter),
      sessionUsage: async (id, transcript) =>
        (await import('./reports/read-usage.ts')).sessionUsageHere(parts, id, transcript),
      usageBySession: async () => (await import('./reports/read-usage.ts')).usageBySessionHere(parts),
    },
  };
}

/** What a door may count; undefined for everything. */
async function seenBy({ limit, store }: Door) {
  return limit !== undefined && (await limit()) !== null ? store?.() : undefined;
}

/** Sends what just changed. If the server does not answer, the worker sends it later. */
async function sendFor(parts: Parts, { signal, tell }: Caller): Promise<void> {
  const server = await parts.sharing();
  if (server === null) return;
  const report = await sendChanges(parts, { now: true, signal });
  const waiting = server.outbox().counts().waiting;
  if (report?.problem != null && waiting > 0)
    tell(`The change will be sent to the server later: ${report.problem.message}`);
}
