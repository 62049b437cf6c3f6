import { exportSessions } from '../../app/export/export-sessions.ts';
import { exportDependencies } from '../../compose/export.ts';
import { queueJob } from '../../compose/worker.ts';
import { errorText } from '../../domain/errors.ts';
import type { HttpDependencies } from '../context.ts';

/** Looks regularly for changes that no hook reported, and keeps the exported files up to date if the user wants that. */
export function refreshRegularly({ parts, log }: Pick<HttpDependencies, 'parts' | 'log'>): () => void {
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const again = async (isFirst: boolean) => {
    const refreshMs = await parts.use(async (open) => {
      const { home, serve, autoIndex } = open.parts.config;
      const at = new Date().toISOString();
      // The worker already looks for changes when it starts.
      if (!isFirst && autoIndex)
        queueJob(home, { event: 'changed', transcriptPath: null, sessionId: null, at });
      if (serve.export && open.parts.storeExists())
        await exportSessions(await exportDependencies(open.parts, null), { signal: stopped.signal });
      return serve.refreshMs;
    });
    if (!stopped.signal.aborted) timer = setTimeout(() => void run(false), refreshMs);
  };
  const run = (isFirst: boolean): Promise<void> =>
    again(isFirst).catch((error: unknown) => {
      log(`cannot refresh: ${errorText(error)}`);
      if (!stopped.signal.aborted) timer = setTimeout(() => void run(false), RETRY_MS);
    });
  void run(true);
  return () => {
    stopped.abort();
    clearTimeout(timer);
  };
}

const RETRY_MS = 60_000;
