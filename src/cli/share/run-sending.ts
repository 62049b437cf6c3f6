import type { DrainReport } from '../../app/share/send/drain-outbox.ts';
import { sendChanges } from '../../compose/parts.ts';
import type { ServerSummary } from '../../domain/server-state.ts';
import type { CommandContext } from '../run-command.ts';
import { createProgress } from '../terminal/progress/progress.ts';

/** Sends the outbox, with progress on stderr; null without a server. */
export async function runSending(
  { parts, terminal, signal }: CommandContext,
  options: { quiet: boolean; before?: ServerSummary | null },
): Promise<ServerSummary | null> {
  const server = await parts.sharing();
  const { before = null } = options;
  // Don't ask a server again that has just failed.
  if (server === null || (before !== null && before.problems.length > 0)) return before;
  const bar = options.quiet ? null : createProgress({ verb: 'Sending', terminal });
  try {
    const report = await sendChanges(parts, {
      signal,
      now: true,
      onProgress: (progress) => bar?.update(progress),
    });
    return summaryOf(report, server.outbox().counts().waiting, before);
  } finally {
    bar?.done();
  }
}

function summaryOf(report: DrainReport | null, waiting: number, before: ServerSummary | null): ServerSummary {
  const sent = Math.max(before?.sent ?? 0, report?.sent ?? 0);
  const problems = [report?.problem ?? [], report?.vectorsRefused ?? []].flat();
  return { sent, waiting, busy: report === null, problems };
}
