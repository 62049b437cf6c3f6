import { parse, stringify } from 'smol-toml';
import { errorText } from '../../domain/errors.ts';
import { isRecord } from '../../domain/is-record.ts';
import { refused, sameValue } from './json-file.ts';

// No library edits TOML in place and leaves every other byte unchanged. So tables are appended and removed as text; smol-toml then
// verifies that all other values are unchanged.

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

/** Removes a table and its subtables, each with the blank line before it. Comments before the next table stay. */
export function removeTable(text: string, names: readonly string[], path: string): string {
  let out = text;
  for (;;) {
    const next = cutOne(out, names, path);
    if (next === null) break;
    out = next;
  }
  if (tableAt(parseToml(out, path), names) !== undefined)
    throw refused(path, `has ${names.join('.')} in a form that cannot be removed line by line`);
  return out;
}

/**
 * The text without the lines from one header to the next, and without the blank line before them. A line inside a string may look
 * like a header, so `accept` checks each candidate. Null if it accepts none.
 */
export function cutSection(text: string, header: RegExp, accept: (after: string) => boolean): string | null {
  for (const { index } of text.matchAll(header)) {
    const head = text.slice(0, index).replace(/(^|\n)[ \t]*\r?\n$/, '$1');
    for (const end of sectionEnds(text, index)) {
      const own = withoutLastComments(text.slice(index, end));
      const tail = text.slice(index + own.length).replace(/^[ \t]*(?:\r?\n|$)/, '');
      if (accept(head + tail)) return head + tail;
    }
  }
  return null;
}

/** Comments above the next header belong to it. */
function withoutLastComments(section: string): string {
  let end = section.length;
  while (end > 0) {
    const start = section.lastIndexOf('\n', end - 2) + 1;
    if (!/^[ \t]*(?:#[^\r\n]*)?\r?\n?$/.test(section.slice(start, end))) break;
    end = start;
  }
  return section.slice(0, end).trimEnd();
}

/** Sets a key of a table: replaces its line, or adds one below the table's header. */
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
  throw refused(path, `has ${[...names, key].join('.')} in a form that cannot be changed line by line`);
}

/** Verifies that an edit changed only one table. */
export function checkTomlEdit(before: string, after: string, path: string, names: readonly string[]): void {
  const [was, is] = [before, after].map((text) => without(parseToml(text, path), names));
  if (!sameValue(was, is)) throw refused(path, 'cannot be edited without changing other entries');
}

/** The text without the first table of this name; null if there is none. */
function cutOne(text: string, names: readonly string[], path: string): string | null {
  const rest = without(parseToml(text, path), names);
  return cutSection(text, headerOf(names), (after) => means(after, rest, names));
}

/** Possible ends of the section below a header: before each line that begins like a header, and at the end of the file. */
function sectionEnds(text: string, start: number): number[] {
  const rest = text.slice(start + 1);
  const next = [...rest.matchAll(/\n(?=[ \t]*\[)/g)].slice(0, MAX_ENDS);
  return [...next.map(({ index }) => start + index + 2), text.length];
}

const MAX_ENDS = 20;

function headerOf(names: readonly string[]): RegExp {
  const dotted = names.map((name) => `\\s*(?:"${name}"|'${name}'|${name})\\s*`).join('\\.');
  return new RegExp(`^[ \\t]*\\[${dotted}(?:\\.[^\\]\\r\\n]*)?\\]`, 'gm');
}

function means(text: string, wanted: unknown, leavingOut: readonly string[] = []): boolean {
  try {
    const value = parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' });
    return sameValue(leavingOut.length > 0 ? without(value, leavingOut) : value, wanted);
  } catch {
    // No longer valid TOML: the wrong line.
    return false;
  }
}

/** A copy without one table, and without its parents if that leaves them empty. */
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
