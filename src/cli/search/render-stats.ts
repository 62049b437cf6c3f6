import { archiveText, sharedArchiveText } from '../../domain/archive/archive-text.ts';
import type { ServerState, SharedArchiveSize } from '../../domain/server-state.ts';
import type { SearchCounts, StatsReport } from '../../domain/summary.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { bytes, count, plural, timeAgo } from '../../domain/text/time-text.ts';
import { serverFacts } from '../share/server-facts.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { filled } from '../terminal/progress/bar.ts';
import { displayWidth, padEnd, padStart, truncate, wrap } from '../terminal/width.ts';

type Row = { value: string; count: number };

/** The counts, and a bar for each repository, month and agent. */
export function renderStats(stats: StatsReport, look: Look, options: Options): string {
  const ink = createInk(look);
  return [
    ...summaryLines(stats, ink, options),
    ...chartLines('Sessions by repository', mostOf(stats.by_repo), ink),
    ...chartLines('Sessions by month', latestOf(stats.by_month), ink),
    ...(stats.by_agent.length > 1 ? chartLines('Sessions by agent', stats.by_agent, ink) : []),
  ].join('\n');
}

interface Options {
  nowMs: number;
  server?: ServerWithArchive | null;
  searches?: SearchCounts | null;
}

type ServerWithArchive = ServerState & { archive?: SharedArchiveSize | null };

const MAX_ROWS = 12;

function summaryLines(stats: StatsReport, ink: Ink, { nowMs, server, searches = null }: Options): string[] {
  const { sessions, chunks, intents, vectors, waiting, store } = stats;
  const left = waiting.intents + waiting.chunks;
  const facts: [string, string][] = [
    ['Sessions', count(sessions)],
    ['Passages', count(chunks + intents)],
    ['Vectors', left > 0 ? `${count(vectors)}; ${plural(left, 'passage')} not embedded yet` : count(vectors)],
    ['Model', store.model ?? 'none yet'],
    ['Store', `${store.kind}, ${bytes(store.bytes)}, ${store.location}`],
    ...(server ? serverFacts(server, nowMs) : []),
    ['Archive', archiveText(stats.archive)],
    ...(server?.archive ? [['', sharedArchiveText(server.archive)] satisfies [string, string]] : []),
    ...stats.unread.map((one) => ['Not read', one.text] satisfies [string, string]),
    ...(searches === null ? [] : searchFacts(searches, nowMs)),
    ['Last synced', stats.last_synced ? timeAgo(stats.last_synced, nowMs) : 'never'],
  ];
  const labelWidth = 13;
  return facts.flatMap(([label, value]) =>
    wrap(sanitizeLine(value), ink.columns - labelWidth).map(
      (line, i) => ink.style.dim(padEnd(i === 0 ? label : '', labelWidth)) + line,
    ),
  );
}

/** The share of searches that led to a fork is how well smart-fork finds. */
function searchFacts(
  { since, searches, nothing_found, forks, first_taken }: SearchCounts,
  nowMs: number,
): [string, string][] {
  if (since === null) return [['Searches', 'none yet']];
  const share = Math.round((100 * forks) / searches);
  return [
    [
      'Searches',
      `${count(searches)} ${sinceText(since, nowMs)}; ${count(nothing_found)} found nothing that fits`,
    ],
    [
      'Forks',
      `${count(forks)} after a search (${share}%), ${count(first_taken)} of them of the first result; printed commands count`,
    ],
  ];
}

/** "in the last 3 minutes", "since yesterday". */
function sinceText(since: string, nowMs: number): string {
  const ago = timeAgo(since, nowMs);
  if (!ago.endsWith(' ago')) return ago === 'just now' ? ago : `since ${ago}`;
  return `in the last ${ago.replace(/^1 (\w+) ago$/, '$1').replace(/ ago$/, '')}`;
}

function mostOf(rows: Row[]): Row[] {
  const sorted = rows.toSorted((a, b) => b.count - a.count);
  const rest = sorted.slice(MAX_ROWS);
  if (rest.length < 2) return sorted;
  const others = rest.reduce((sum, row) => sum + row.count, 0);
  return [...sorted.slice(0, MAX_ROWS), { value: `${count(rest.length)} others`, count: others }];
}

/** Months sort correctly as text. */
function latestOf(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => (a.value < b.value ? -1 : 1)).slice(-MAX_ROWS);
}

function chartLines(title: string, rows: Row[], ink: Ink): string[] {
  if (rows.length === 0) return [];
  const { style, symbols, columns } = ink;
  const labels = rows.map(({ value }) =>
    truncate(sanitizeLine(value) || '(none)', columns >> 1, symbols.ellipsis),
  );
  const labelWidth = Math.max(...labels.map(displayWidth));
  const most = Math.max(...rows.map((row) => row.count));
  const numberWidth = count(most).length;
  const room = Math.max(1, Math.min(50, columns - labelWidth - numberWidth - 6));
  const lines = rows.map((row, i) => {
    const bar =
      filled(row.count / Math.max(1, most), room, symbols.blocks) || (row.count > 0 ? symbols.blocks[0] : '');
    const number = padStart(count(row.count), numberWidth);
    return `  ${padEnd(labels[i] ?? '', labelWidth)}  ${number}  ${style.accent(bar ?? '')}`.trimEnd();
  });
  return ['', ...wrap(title, columns).map(style.strong), ...lines];
}
