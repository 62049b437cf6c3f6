import { parse, stringify } from 'smol-toml';
import { errorText } from '../../domain/errors.ts';
import { isRecord, refused, sameValue } from './json-file.ts';

// No library edits TOML in place byte for byte. So a table is appended, or removed line by line; smol-toml then checks
// that everything else still means the same.

export function parseToml(text: string, path: string): Record<string, unknown> {
  try {
    return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    throw refused(path, `is not valid TOML: ${errorText(error).split('\n')[0]}`);
  }
}

export function tableAt(value: unknown, names: readonly string[]): unknown {
  let at = value;
  for (const name of names) at = isRecord(at) ? at[name] : undefined;
  return at;
}

/** Appends a table, after a blank line. */
export function appendTable(text: string, names: readonly string[], table: Record<string, unknown>): string {
  return appendText(text, [`[${names.join('.')}]`, ...tomlLines(table)].join('\n'));
}

export function appendText(text: string, block: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const body = text.replace(/^\ufeff/, '');
  const gap = body === '' ? '' : body.endsWith('\n') ? eol : eol + eol;
  return text + gap + block.replaceAll('\n', eol) + eol;
}

export function tomlLines(table: Record<string, unknown>): string[] {
  return stringify(table).trimEnd().split('\n');
}

/** Removes a table and its subtables, each with the blank line before it; comments before the next table stay. */
export function removeTable(text: string, names: readonly string[], path: string): string {
  let out = text;
  for (;;) {
    const next = cutOne(out, names, path);
    if (next === null) break;
    out = next;
  }
  if (tableAt(parseToml(out, path), names) !== undefined)
    throw refused(path, `holds ${names.join('.')} in a form that cannot be removed line by line`);
  return out;
}

/**
 * The text without the lines from one header up to the next, and without the blank line before them. A line inside a string
 * may look like a header, so `accept` judges what is left. Null when it accepts nothing.
 */
export function cutSection(text: string, header: RegExp, accept: (after: string) => boolean): string | null {
  for (const { index } of text.matchAll(header)) {
    const head = text.slice(0, index).replace(/(^|\n)[ \t]*\r?\n$/, '$1');
    for (const end of sectionEnds(text, index)) {
      const own = text.slice(index, end).replace(/(?:[ \t]*(?:#[^\r\n]*)?(?:\r?\n|$))+$/, '');
      const tail = text.slice(index + own.length).replace(/^[ \t]*(?:\r?\n|$)/, '');
      if (accept(head + tail)) return head + tail;
    }
  }
  return null;
}

/** Sets a key of a table: on its own line, or on a new one below the table's header. */
export function setInTable(
  text: string,
  names: readonly string[],
  key: string,
  value: unknown,
  path: string,
): string {
  const wanted = withKey(parseToml(text, path), names, key, value);
  const line = `${tomlLines({ [key]: value })[0]}`;
  const own = new RegExp(`^([ \\t]*)(?:${key}|"${key}")[ \\t]*=[^\\r\\n]*`, 'gm');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const candidates = [
    ...[...text.matchAll(own)].map((found) => ({ found, replaced: found[1] + line })),
    ...[...text.matchAll(headerOf(names))].map((found) => ({ found, replaced: found[0] + eol + line })),
  ];
  for (const { found, replaced } of candidates) {
    const after = text.slice(0, found.index) + replaced + text.slice(found.index + found[0].length);
    if (means(after, wanted)) return after;
  }
  throw refused(path, `holds ${[...names, key].join('.')} in a form that cannot be changed line by line`);
}

/** Makes sure that an edit changed only one table. */
export function checkTomlEdit(before: string, after: string, path: string, names: readonly string[]): void {
  const [was, is] = [before, after].map((text) => without(parseToml(text, path), names));
  if (!sameValue(was, is)) throw refused(path, 'cannot be changed without changing what is not ours');
}

/** The text without the first table of these names. Null when there is none. */
function cutOne(text: string, names: readonly string[], path: string): string | null {
  const rest = without(parseToml(text, path), names);
  return cutSection(text, headerOf(names), (after) => means(after, rest, names));
}

/** Where the lines below a header may end: before a line that begins like another header, or with the file. */
function sectionEnds(text: string, start: number): number[] {
  const rest = text.slice(start + 1);
  const next = [...rest.matchAll(/\n(?=[ \t]*\[)/g)].slice(0, MOST_ENDS);
  return [...next.map(({ index }) => start + index + 2), text.length];
}

const MOST_ENDS = 20;

function headerOf(names: readonly string[]): RegExp {
  const dotted = names.map((name) => `\\s*(?:"${name}"|'${name}'|${name})\\s*`).join('\\.');
  return new RegExp(`^[ \\t]*\\[${dotted}(?:\\.[^\\]\\r\\n]*)?\\]`, 'gm');
}

function means(text: string, wanted: unknown, leavingOut: readonly string[] = []): boolean {
  try {
    const value = parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' });
    return sameValue(leavingOut.length > 0 ? without(value, leavingOut) : value, wanted);
  } catch {
    // Not TOML any more: not this line.
    return false;
  }
}

/** A copy without one table, and without the tables that held nothing else. */
function without(value: Record<string, unknown>, [name = '', ...rest]: readonly string[]): unknown {
  const { [name]: inner, ...others } = value;
  if (inner === undefined) return value;
  if (rest.length === 0 || !isRecord(inner)) return rest.length === 0 ? others : value;
  const left = without(inner, rest);
  return isRecord(left) && Object.keys(left).length === 0 ? others : { ...others, [name]: left };
}

function withKey(value: unknown, [name, ...rest]: readonly string[], key: string, wanted: unknown): unknown {
  if (!isRecord(value)) return value;
  if (name === undefined) return { ...value, [key]: wanted };
  return { ...value, [name]: withKey(value[name], rest, key, wanted) };
}
