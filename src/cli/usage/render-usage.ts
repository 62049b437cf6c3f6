import { costText, outputText } from '../../domain/text/cost-text.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { count, plural } from '../../domain/text/time-text.ts';
import type {
  UsageGroup,
  UsageGrouping,
  UsageNumbers,
  UsageReport,
} from '../../domain/usage/usage-report.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { wrap } from '../terminal/width.ts';

const GROUPS = {
  model: 'by_model',
  agent: 'by_agent',
  repo: 'by_repo',
  // The same in full.
  repository: 'by_repo',
  day: 'by_day',
} as const;
/** Approximate width of a table with all columns. */
const WIDE = 80;

/** One line per group, and the totals. */
export function renderUsage(report: UsageReport, by: UsageGrouping, look: Look): string {
  const ink = createInk(look);
  const groups = report[GROUPS[by]];
  if (groups.length === 0) return wrap('No tokens were counted in these sessions.', ink.columns).join('\n');
  const { totals, without_price: unpriced, prices } = report;
  const rows = [...groups, { value: 'total', ...totals }];
  const unknown = `No price is known for ${unpriced.map(sanitizeLine).join(', ')}: not in the cost. Set one in usage.prices.`;
  const partial = `+: at least. The transcripts have no final number of output tokens for ${plural(totals.partial_requests, 'request')}.`;
  const dated = `US dollars, at list prices of ${prices.date} or those in usage.prices.`;
  return [
    ...(ink.columns >= WIDE ? wideLines(by, rows, ink) : narrowLines(rows, ink)),
    '',
    ...wrap(`${plural(totals.sessions, 'session')}, ${plural(totals.requests, 'request')}`, ink.columns),
    ...wrap(dated, ink.columns),
    ...(unpriced.length > 0 ? wrap(unknown, ink.columns) : []),
    ...(totals.partial_requests > 0 ? wrap(partial, ink.columns) : []),
  ].join('\n');
}

function wideLines(by: UsageGrouping, rows: UsageGroup[], ink: Ink): string[] {
  const headers = facts(rows[0] as UsageGroup).map(([header]) => header);
  const columns: Column[] = [
    { header: by, flexible: true },
    ...headers.map((header): Column => ({ header, align: 'right' })),
  ];
  const cells = rows.map((row) => [sanitizeLine(row.value), ...facts(row).map(([, text]) => text)]);
  return tableLines(columns, cells, ink);
}

/** One block per group, for terminals too narrow for a table. */
function narrowLines(rows: UsageGroup[], ink: Ink): string[] {
  const blocks = rows.map((row) => [
    ...wrap(sanitizeLine(row.value), ink.columns).map(ink.style.strong),
    ...facts(row).map(([name, text]) => `  ${name.padEnd(12)}${text.padStart(18)}`),
  ]);
  return blocks.flatMap((block, at) => (at === 0 ? block : ['', ...block]));
}

function facts(numbers: UsageNumbers): [string, string][] {
  const { input_tokens, cache_read_tokens, cache_write_tokens } = numbers;
  return [
    ['input', count(input_tokens)],
    ['output', outputText(numbers)],
    ['cache read', count(cache_read_tokens)],
    ['cache write', count(cache_write_tokens)],
    ['cost', costText(numbers)],
  ];
}
