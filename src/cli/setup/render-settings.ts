import type { ListedSetting } from '../../config/list-settings.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { createInk, type Look } from '../terminal/ink.ts';
import { padEnd, wrap } from '../terminal/width.ts';

/** All settings with value, origin and purpose. */
export function renderSettings(rows: ListedSetting[], look: Look): string {
  const { style, columns } = createInk(look);
  const width = Math.max(0, ...rows.map(({ key }) => key.length)) + 2;
  return rows
    .flatMap(({ key, value, origin, description, if_unset }) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const shown = value === null ? unsetText(if_unset) : `= ${sanitizeLine(text)}`;
      const mark = origin === 'default' ? style.dim : style.strong;
      const lines = wrap(description, columns - width);
      const first = padEnd(key, width) + style.dim(lines[0] ?? '');
      const rest = lines.slice(1).map((line) => ' '.repeat(width) + style.dim(line));
      const source = value === null ? '' : ` ${style.dim(`(${origin})`)}`;
      return [first, ...rest, `  ${mark(shown)}${source}`];
    })
    .join('\n');
}

export function unsetText(ifUnset: string | null): string {
  return ifUnset === null ? '(not set)' : `(not set: ${ifUnset})`;
}
