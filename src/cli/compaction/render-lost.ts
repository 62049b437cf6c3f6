import type { Lost } from '../../app/compaction/find-lost.ts';
import { dateTime, plural } from '../../domain/text/time-text.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** The lost lines under their topics. */
export function renderLost(lost: Lost, look: Look): string {
  const { style, columns, shortId } = createInk(look);
  if (!lost.compacted) return `${shortId(lost.session_id)} was never compacted.`;
  const when = lost.compacted_at === null ? '' : ` at ${dateTime(lost.compacted_at)}`;
  if (lost.topics.length === 0)
    return wrap(
      `Nothing lost: the summary of the compaction${when} covers everything before it.`,
      columns,
    ).join('\n');
  return [
    ...wrap(
      lost.readable
        ? `Said before the compaction${when}, but missing from its summary:`
        : `Said before the compaction${when} (the transcript does not contain its summary):`,
      columns,
    ),
    ...lost.topics.flatMap(({ name, lines }) => [
      '',
      ...wrap(name, columns).map(style.strong),
      ...lines.flatMap(({ turn, kind, text }) =>
        wrap(`${turn}. ${kind}: ${text}`, columns - 2).map((line) => `  ${line}`),
      ),
    ]),
    ...(lost.left_out > 0
      ? ['', style.dim(`and ${plural(lost.left_out, 'line')} more: raise --max-tokens`)]
      : []),
  ].join('\n');
}
