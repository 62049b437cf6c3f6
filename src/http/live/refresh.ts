import { exportSessions } from '../../app/export/export-sessions.ts';
import { exportDependencies, markdownSearch, qmdCollections } from '../../compose/export.ts';
import type { Parts } from '../../compose/parts.ts';
import { queueJob } from '../../compose/worker.ts';
import { processEnvironment } from '../../config/environment.ts';
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
      if ((serve.export || serve.qmd) && open.parts.storeExists()) await exportAll(open.parts, serve.qmd);
      return serve.refreshMs;
    });
    if (!stopped.signal.aborted) timer = setTimeout(() => void run(false), refreshMs);
  };
  const exportAll = async (all: Parts, withQmd: boolean) => {
    const { folder } = await exportSessions(await exportDependencies(all, null), { signal: stopped.signal });
    if (!withQmd || stopped.signal.aborted) return;
    const qmd = markdownSearch(processEnvironment());
    const collections = qmdCollections(folder);
    await qmd.register(collections);
    const problem = await qmd.embed(
      collections.map(({ name }) => name),
      stopped.signal,
    );
    if (problem !== null) log(`qmd cannot embed: ${problem}`);
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
