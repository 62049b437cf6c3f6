import type { MigrationReport } from '../../app/share/migrate/migrate-sessions.ts';
import { shortId } from '../../domain/session/session-id.ts';
import { count, plural } from '../../domain/text/time-text.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

const MAX_SHOWN = 10;

/** What was copied, and whether both sides are now equal. */
export function renderMigration(report: MigrationReport, look: Look): string {
  const { style, symbols, columns } = createInk(look);
  const { found, copied, same, left, different, missingVectors, interrupted } = report;
  const lines = [`${plural(found, 'session')} found: ${count(copied)} copied, ${count(same)} already there`];
  if (left.length > 0)
    lines.push(`${count(left.length)} not copied: the target has a different copy (${ids(left)})`);
  if (missingVectors > 0)
    lines.push(`${plural(missingVectors, 'vector')} not copied: must be computed again`);
  const verdict = interrupted
    ? `${style.warn(symbols.warn)} Stopped early. Run the command again to continue.`
    : different.length > 0
      ? `${style.bad(symbols.fail)} ${plural(different.length, 'session')} ${different.length === 1 ? 'differs' : 'differ'}: ${ids(different)}. Run the command again.`
      : `${style.good(symbols.ok)} Verified: the hashes on both sides match.`;
  return [...lines, verdict].flatMap((line) => wrap(line, columns)).join('\n');
}

function ids(list: string[]): string {
  const shown = list.slice(0, MAX_SHOWN).map((id) => shortId(id));
  return list.length > MAX_SHOWN ? `${shown.join(', ')}, …` : shown.join(', ');
}
