import { archiveText } from '../../domain/archive/archive-text.ts';
import type { IdeaCounts } from '../../domain/memory/memory-result.ts';
import type { HealthCheck } from '../../domain/server-state.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { count, plural, timeAgo } from '../../domain/text/time-text.ts';
import type { Status, WorkerStatus } from '../../operations/reports.ts';
import { serverFacts } from '../share/server-facts.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** The worker's state, its queue and its errors. */
export function renderStatus(
  { automatic, worker, waiting, archive, server, problems, ideas, model, extractor }: Status,
  look: Look,
  { cleanup = [], nowMs }: { cleanup?: HealthCheck[]; nowMs: number },
): string {
  const { style, symbols, columns } = createInk(look);
  const { record } = worker;
  const passages = waiting.intents + waiting.chunks;
  const lines: [string, string][] = [['Worker', workerLine(worker, nowMs)]];
  if (!automatic) lines.push(['Indexing', OFF]);
  const delayed = worker.delayed > 0 ? `, ${count(worker.delayed)} to be retried later` : '';
  lines.push(['Queue', `${plural(worker.waiting, 'job')} queued${delayed}`]);
  if (problems.length === 0)
    lines.push([
      'Embeddings',
      passages === 0 ? 'up to date' : `${plural(passages, 'passage')} not embedded yet`,
    ]);
  if (ideas !== null) lines.push(['Findings', ideasText(ideas)]);
  if (model !== null)
    lines.push(['Model', model.fix === undefined ? model.message : `${model.message}: ${model.fix}`]);
  if (extractor !== null) lines.push(['Extractor', extractorLine(extractor)]);
  lines.push(['Archive', archiveText(archive)]);
  for (const { name, message } of cleanup) lines.push([name, message]);
  if (server !== null) lines.push(...serverFacts(server, nowMs));
  if (record?.lastJob)
    lines.push(['Last job', `${timeAgo(record.lastJob.at, nowMs)}, ${record.lastJob.ms} ms`]);
  if (record?.lastError) {
    lines.push([
      'Last error',
      `${timeAgo(record.lastError.at, nowMs)}: ${sanitizeLine(record.lastError.message)}`,
    ]);
  }
  for (const { name, job, reason } of worker.failures) {
    lines.push([
      symbols.fail,
      `gave up on ${sanitizeLine(job?.transcriptPath ?? name)}: ${sanitizeLine(reason)}`,
    ]);
  }
  for (const { message, hint } of problems)
    lines.push([symbols.fail, sanitizeLine(hint === null ? message : `${message}: ${hint}`)]);
  const width = 12;
  return lines
    .flatMap(([label, text]) =>
      wrap(text, columns - width).map((line, at) => style.dim((at === 0 ? label : '').padEnd(width)) + line),
    )
    .join('\n');
}

const OFF = 'not automatic, as indexing.auto_index says: smart-fork index indexes what changed';

function ideasText({ all, open_todos }: IdeaCounts): string {
  return `${plural(all, 'finding')}, ${plural(open_todos, 'open todo')}`;
}

function extractorLine({
  model,
  today,
  calls_per_day,
  tokens_per_day,
}: NonNullable<Status['extractor']>): string {
  const calls = `${count(today.calls)} of ${count(calls_per_day)} calls`;
  const tokens = `${count(today.tokens)} of ${count(tokens_per_day)} tokens`;
  return `${sanitizeLine(model)}, today ${calls} and ${tokens}: ${plural(today.ideas, 'finding')}, ${count(today.dropped)} dropped`;
}

function workerLine({ running, record }: WorkerStatus, nowMs: number): string {
  if (record === null)
    return 'has not run yet: hooks start it (smart-fork init), or run smart-fork worker --drain';
  if (running) return `${record.state} since ${timeAgo(record.since, nowMs)}, ${plural(record.jobs, 'job')}`;
  return `not running (last started ${timeAgo(record.since, nowMs)})`;
}
