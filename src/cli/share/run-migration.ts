import { copySessions } from '../../app/share/migrate/copy-sessions.ts';
import {
  emptyMigration,
  type MigrateOptions,
  type MigrationReport,
  verifyMigration,
} from '../../app/share/migrate/migrate-sessions.ts';
import { countSent, hashesThere } from '../../app/share/send/count-sent.ts';
import { sendChanges } from '../../compose/parts.ts';
import type { Sharing } from '../../compose/server.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { eachSession } from '../../ports/point-store.ts';
import { type CommandContext, EXIT, type GlobalArguments } from '../run-command.ts';
import { createProgress } from '../terminal/progress/progress.ts';
import { renderMigration } from './render-migration.ts';
import { runImport } from './run-import.ts';
import { runSending } from './run-sending.ts';

interface MigrationOptions extends GlobalArguments {
  to: 'qdrant' | 'embedded';
  /** Another collection on the server. */
  from?: string;
}

/** Copies sessions between the local store and the server, then compares the two. */
export async function runMigration(context: CommandContext, options: MigrationOptions): Promise<void> {
  const { parts, terminal, signal } = context;
  const server = await parts.sharing();
  if (server === null) {
    throw new SmartForkError('USAGE', 'no server is configured', {
      hint: 'Set QDRANT_URL in the environment or in ~/.smart-fork/.env (docs/qdrant.md).',
    });
  }
  const bar = options.json === true ? null : createProgress({ verb: 'Copying', terminal });
  const without = new Set(
    parts
      .state()
      .forgotten()
      .map(({ sessionId }) => sessionId),
  );
  const progress: MigrateOptions = { signal, without, onProgress: (one) => bar?.update(one) };
  let report: MigrationReport;
  try {
    report = await migrate(context, server, options, progress);
  } finally {
    bar?.done();
  }
  if (report.different.length > 0) process.exitCode = EXIT.failed;
  if (options.json === true) return terminal.out(JSON.stringify({ to: options.to, ...report }));
  terminal.out(renderMigration(report, terminal));
}

async function migrate(
  context: CommandContext,
  server: Sharing,
  { to, from }: MigrationOptions,
  progress: MigrateOptions,
): Promise<MigrationReport> {
  const { parts } = context;
  const { tokenizer } = parts;
  const embedded = await parts.localFile.open();
  if (from === undefined) {
    if (to === 'qdrant') return sendEverything(context, server, progress);
    return copySessions({ from: await server.source(), to: embedded, tokenizer }, progress);
  }
  const legacy = await server.legacyCollection(from);
  if (legacy !== null) {
    const store = to === 'qdrant' ? await parts.local() : embedded;
    const report = await runImport(context, legacy, store, progress);
    if (to === 'qdrant') await runSending(context, { quiet: true });
    return report;
  }
  const source = await server.collection(from);
  try {
    const target = to === 'qdrant' ? await server.remote() : embedded;
    return await copySessions({ from: source, to: target, tokenizer }, progress);
  } finally {
    await source.close();
  }
}

/** Sends all of this machine's sessions through the outbox: after an interruption, the worker continues. */
async function sendEverything(
  context: CommandContext,
  server: Sharing,
  progress: MigrateOptions,
): Promise<MigrationReport> {
  const { parts } = context;
  const embedded = await parts.localFile.open();
  const outbox = server.outbox();
  const report = emptyMigration();
  const ids: string[] = [];
  for await (const { session_id } of eachSession(embedded)) ids.push(session_id);
  const renamed = new Set(outbox.server.renamed().map(({ sessionId }) => sessionId));
  outbox.add(
    ids
      .filter((id) => !renamed.has(id))
      .map((sessionId) => ({ sessionId, whole: true, vectors: true, archive: true })),
  );
  const before = await hashesBefore(server, ids);
  const sent = await sendChanges(parts, { ...progress, now: true });
  report.interrupted = progress.signal?.aborted === true;
  if (sent === null || sent.problem !== null) {
    throw new SmartForkError(
      'STORE_UNAVAILABLE',
      sent?.problem?.message ?? 'another smart-fork process is sending to the server',
      {
        hint:
          sent?.problem?.hint ??
          'Run the command again when that is done. Unsent changes stay in the outbox.',
      },
    );
  }
  const remote = await server.remote();
  const settled = await countSent(
    { local: embedded, remote, noted: (some) => outbox.server.sent(some), before },
    report,
  );
  await verifyMigration(embedded, remote, report, progress, settled);
  return report;
}

/** An unavailable server is reported later, when something is sent to it. */
async function hashesBefore(server: Sharing, ids: string[]): Promise<Map<string, string>> {
  try {
    return await hashesThere(await server.remote(), ids);
  } catch (error) {
    if (error instanceof SmartForkError) return new Map();
    throw error;
  }
}
