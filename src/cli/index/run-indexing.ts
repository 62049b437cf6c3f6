import { archiveTranscripts } from '../../app/archive/archive-transcripts.ts';
import { embedPending } from '../../app/index/embed-pending.ts';
import type { IndexReport } from '../../app/index/index-report.ts';
import { indexTranscripts } from '../../app/index/index-transcripts.ts';
import { openMachineLease } from '../../compose/local/open-machine-lease.ts';
import { archiveDependencies } from '../../compose/parts.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { ServerSummary } from '../../domain/server-state.ts';
import { sumUnread } from '../../domain/session/unread.ts';
import type { IndexSummary, Progress } from '../../domain/summary.ts';
import { type HeldLease, type Lease, type LeaseHolder, takeLease } from '../../ports/lease.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import type { CommandContext } from '../run-command.ts';
import { runImport } from '../share/run-import.ts';
import { runSending } from '../share/run-sending.ts';
import { createProgress } from '../terminal/progress/progress.ts';
import { selectTranscripts } from './select-transcripts.ts';

interface IndexingOptions {
  repo?: string;
  session?: string;
  since?: string;
  /** Indexes these transcripts, whatever the other options select. */
  files?: TranscriptFile[];
  force: boolean;
  embed: boolean;
  keep: boolean;
  /** Shows no progress. */
  quiet: boolean;
}

/**
 * Indexes for keyword search, then archives transcripts, then embeds if there is a model. Shows progress on stderr. A full run that has
 * work to do first waits for any other run, which would do the same work.
 */
export async function runIndexing(context: CommandContext, options: IndexingOptions): Promise<IndexSummary> {
  const problems: IndexReport['failed'] = [];
  const files = options.files ?? (await selectTranscripts(context.parts, options, problems));
  if (files !== null) return indexAndEmbed(context, options, files, problems);
  const turn = createTurn(context, options.quiet);
  try {
    const summary = await indexAndEmbed(context, options, null, problems, turn.take);
    return turn.waitedMs() > 0 ? { ...summary, waited_ms: turn.waitedMs() } : summary;
  } finally {
    turn.end();
  }
}

/** The lease for a full run, taken once there is something to do. */
function createTurn({ parts, terminal, signal }: CommandContext, quiet: boolean) {
  let lease: Lease | null = null;
  let held: HeldLease | null = null;
  let waitedMs = 0;
  return {
    /** Returns whether it had to wait. */
    async take(): Promise<boolean> {
      const asked = Date.now();
      let waited = false;
      const keepWaiting = (holder: LeaseHolder | null) => {
        const who = holder === null ? '' : ` (process ${holder.pid})`;
        if (!waited && !quiet) terminal.err(`Waiting for another indexing run to end${who}.`);
        waited = true;
        return true;
      };
      lease = await openMachineLease(parts.config.home, 'index');
      held = await takeLease(lease, { signal, waitMs: Number.POSITIVE_INFINITY, keepWaiting });
      if (waited) waitedMs = Date.now() - asked;
      return waited;
    },
    waitedMs: () => waitedMs,
    end() {
      held?.release();
      lease?.close();
    },
  };
}

async function indexAndEmbed(
  context: CommandContext,
  options: IndexingOptions,
  files: TranscriptFile[] | null,
  problems: IndexReport['failed'],
  beforeWork?: () => Promise<boolean>,
): Promise<IndexSummary> {
  const started = Date.now();
  const { parts } = context;
  if (options.session !== undefined) await remember(context, files ?? []);
  const store = await parts.local();
  const bar = options.quiet ? null : createProgress({ verb: 'Indexing', terminal: context.terminal });
  const indexing = await parts.indexing({ inThread: true });
  let report: IndexReport;
  try {
    report = await indexTranscripts(indexing, {
      force: options.force,
      signal: context.signal,
      onProgress: (progress) => bar?.update(progress),
      files: files ?? undefined,
      beforeWork,
    });
  } finally {
    await indexing.writer.close();
    bar?.done();
  }
  const archive =
    options.keep && !context.signal.aborted ? await keep(context, files, options.quiet) : NOTHING_KEPT;
  if (options.session !== undefined) await revive(context, files ?? []);
  let server = await runSending(context, options);
  const imported = files === null && isRefused(server) ? await importRefused(context, options.quiet) : 0;
  if (options.embed && !context.signal.aborted && (await embed(context, options.quiet)) > 0)
    server = await runSending(context, { ...options, before: server });
  const { skipped, failed, onlyPrompts, ...rest } = report;
  return {
    ...rest,
    only_prompts: onlyPrompts > 0 ? onlyPrompts : undefined,
    failed: [...problems, ...failed],
    skipped: Object.entries(skipped).map(([reason, count]) => ({ reason, count })),
    unread: sumUnread(parts.state().unread()),
    waiting: await countWaiting(context, store),
    archive,
    server,
    imported: imported > 0 ? imported : undefined,
    took_ms: Date.now() - started,
    interrupted: report.interrupted || context.signal.aborted,
  };
}

function isRefused(server: ServerSummary | null): boolean {
  return server !== null && server.problems.length > 0;
}

/** Called when the server refuses its collection, which may be the Python smart-fork's. Returns the number of sessions imported from it. */
async function importRefused(context: CommandContext, quiet: boolean): Promise<number> {
  const { parts, signal, terminal } = context;
  const name = parts.config.qdrant?.collection;
  const server = await parts.sharing();
  if (server === null || name === undefined || !(await server.state()).read_only) return 0;
  const bar = quiet ? null : createProgress({ verb: 'Importing', terminal });
  try {
    const legacy = await server.legacyCollection(name);
    if (legacy === null) return 0;
    const without = new Set(
      parts
        .state()
        .forgotten()
        .map(({ sessionId }) => sessionId),
    );
    const onProgress = (progress: Progress) => bar?.update(progress);
    const options = { signal, without, onProgress };
    return (await runImport(context, legacy, await parts.local(), options)).copied;
  } catch (error) {
    // The summary already reports the server's problem.
    if (!(error instanceof SmartForkError)) throw error;
    return 0;
  } finally {
    bar?.done();
  }
}

async function remember({ parts }: CommandContext, files: TranscriptFile[]): Promise<void> {
  const localId = (await parts.sharing())?.localId() ?? ((id: string) => id);
  const wanted = new Set(files.map(({ sessionId }) => sessionId));
  const ids = parts
    .state()
    .forgotten()
    .map(({ sessionId }) => sessionId);
  parts.state().dropForgotten(ids.filter((id) => wanted.has(localId(id))));
}

/** Passages without a vector. If the server embeds, they may come from any machine. */
async function countWaiting({ parts }: CommandContext, here: PointStore): Promise<IndexSummary['waiting']> {
  if ((await parts.embedding.state()).state !== 'server') return (await here.count()).waiting;
  const { waiting } = await (await parts.store()).count();
  // Sending has already reported an unreachable server.
  parts.notices();
  return waiting;
}

/** Indexing a session by name revives it if it was forgotten. */
async function revive({ parts }: CommandContext, files: TranscriptFile[]): Promise<void> {
  const server = await parts.sharing();
  server?.outbox().add(files.map(({ sessionId }) => ({ sessionId, revived: true })));
}

const NOTHING_KEPT = { kept: 0, evicted: 0, problem: null };

/** A failing archive does not fail the run; the summary reports it. */
async function keep(
  { parts, terminal, signal }: CommandContext,
  files: TranscriptFile[] | null,
  quiet: boolean,
): Promise<IndexSummary['archive']> {
  const bar = quiet ? null : createProgress({ verb: 'Archiving', terminal });
  try {
    const { kept, evicted, failed } = await archiveTranscripts(await archiveDependencies(parts), {
      signal,
      onProgress: (progress) => bar?.update(progress),
      files: files ?? undefined,
    });
    const [first] = failed;
    return { kept, evicted, problem: first === undefined ? null : `${first.path}: ${first.reason}` };
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    return { ...NOTHING_KEPT, problem: error.message };
  } finally {
    bar?.done();
  }
}

/** Returns the number of passages embedded. */
async function embed({ config, parts, terminal, signal }: CommandContext, quiet: boolean): Promise<number> {
  const store = await parts.local();
  const { waiting } = await store.count();
  if (waiting.chunks + waiting.intents === 0 || (await parts.embedding.state()).state !== 'ready') return 0;
  const bar = quiet ? null : createProgress({ verb: 'Embedding', terminal });
  try {
    const embedder = await parts.embedding.embedder();
    const onProgress = (progress: Progress) => bar?.update(progress);
    const slice = config.embedding.batch ?? undefined;
    return await embedPending({ store, embedder }, { signal, onProgress, slice });
  } catch (error) {
    if (!signal.aborted) throw error;
    return 0;
  } finally {
    bar?.done();
  }
}
