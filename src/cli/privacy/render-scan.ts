import type { ScanReport } from '../../app/privacy/scan-secrets.ts';
import { count, plural } from '../../domain/text/time-text.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { tableLines } from '../terminal/table.ts';

/** Sessions that are listed. */
export const MAX_SESSIONS = 10;

/** Findings per rule, and the sessions with the most findings. */
export function renderScan(report: ScanReport, look: Look): string {
  const ink = createInk(look);
  const rules = Object.entries(report.rules).sort(([, a], [, b]) => b - a);
  const total = rules.reduce((sum, [, n]) => sum + n, 0);
  const scanned = plural(report.scanned, 'transcript');
  if (total === 0) return `Nothing to redact in ${scanned}.`;
  const sessions = report.sessions.slice(0, MAX_SESSIONS);
  const rest = report.sessions.length - sessions.length;
  return [
    `${plural(total, 'secret')} in ${count(report.sessions.length)} of ${scanned}; the index has a mark in place of each.`,
    '',
    ...tableLines(
      [{ header: 'rule' }, { header: 'found', align: 'right' }],
      rules.map(([rule, n]) => [rule, count(n)]),
      ink,
    ),
    '',
    ...tableLines(
      [{ header: 'session' }, { header: 'found', align: 'right' }, { header: 'rules', flexible: true }],
      sessions.map((one) => [ink.named(one.session_id), count(one.total), Object.keys(one.rules).join(', ')]),
      ink,
    ),
    ...(rest > 0 ? [`and ${count(rest)} more`] : []),
    ...report.failed.map(({ path, reason }) => `${ink.symbols.fail} ${path}: ${reason}`),
  ].join('\n');
}
