import type { SessionPayload } from '../../domain/point/point.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { count, plural, timeAgo } from '../../domain/text/time-text.ts';
import type { Doomed } from '../../operations/privacy/forget.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { padEnd, truncate, wrap } from '../terminal/width.ts';

/** A session to forget. Without a record, only its id is known. */
const MAX_LISTED = 20;

/** The sessions that will be forgotten, and what that deletes. */
export function renderForgetting(doomed: Doomed[], warning: string, look: Look, nowMs: number): string {
  const { columns, style, symbols, shortId } = createInk(look);
  const rows = doomed.slice(0, MAX_LISTED).map(({ id, session }) => {
    const facts = session === null ? ['only its id is known'] : factsOf(session, nowMs);
    return truncate(
      `  ${padEnd(shortId(id), 8)}  ${facts.join(symbols.separator)}`,
      columns,
      symbols.ellipsis,
    );
  });
  const more = doomed.length - rows.length;
  const text = `This deletes ${doomed.length === 1 ? 'it, with its tags and notes,' : 'them, with their tags and notes,'} from the index and the archive, on every machine that shares the index. Transcripts in the agents' folders stay; smart-fork index --session ID indexes one again.`;
  return [
    style.strong(`${plural(doomed.length, 'session')} to forget`),
    ...rows,
    ...(more > 0 ? [`  and ${count(more)} more`] : []),
    ...wrap(text, columns),
    ...(warning === '' ? [] : wrap(warning, columns).map(style.warn)),
  ].join('\n');
}

function factsOf({ title, repo_name, ended_at, started_at }: SessionPayload, nowMs: number): string[] {
  const facts = [timeAgo(ended_at ?? started_at, nowMs), repo_name ?? '', title];
  return facts.map(sanitizeLine).filter((fact) => fact !== '');
}
