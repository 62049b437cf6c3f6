import { isRecord } from '../../domain/is-record.ts';
import { asRecord, asText, parseJson } from './read-value.ts';

/**
 * The values on a line, undefined for a part that is not JSON. Mostly one. An interrupted writer leaves two records on one line, the
 * first perhaps torn; a power loss leaves blocks of NUL bytes between them.
 */
export function objectsOfLine(line: string): unknown[] {
  const whole = parseJson(line);
  if (whole !== undefined) return [whole];
  if (line.includes('\0')) {
    const parts = line.split(/\0+/).filter((part) => part.trim() !== '');
    return parts.length === 0 ? [undefined] : parts.flatMap(objectsOfLine);
  }
  return parseAll(line) ?? afterTear(line) ?? [undefined];
}

/** The records on a line, without what cannot be read. */
export function recordsOfLine(line: Buffer): Record<string, unknown>[] {
  return objectsOfLine(line.toString('utf8')).filter(isRecord);
}

/** The objects on a line with nothing else on it; null for any other line. */
function parseAll(line: string): unknown[] | null {
  const objects: unknown[] = [];
  for (const part of splitObjects(line)) {
    const value = parseJson(part);
    if (value === undefined) return null;
    objects.push(value);
  }
  return objects;
}

/** Splits after each brace that closes a top-level object. */
function splitObjects(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '\\' && quoted) at += 1;
    else if (sign === '"') quoted = !quoted;
    else if (sign === '{' && !quoted) depth += 1;
    else if (sign === '}' && !quoted) {
      depth -= 1;
      if (depth > 0) continue;
      parts.push(line.slice(start, at + 1));
      start = at + 1;
    }
  }
  const rest = line.slice(start).trim();
  return rest === '' ? parts : [...parts, rest];
}

/** The records behind a torn one. A part of the torn record itself has no time. */
function afterTear(line: string): unknown[] | null {
  let left = MAX_PARSED;
  for (const { index } of line.matchAll(OPENING)) {
    if (index === 0) continue;
    if (left < 0) return null;
    left -= line.length - index;
    const value = parseJson(line.slice(index));
    if (asText(asRecord(value)?.timestamp) !== null) return [undefined, value];
  }
  return null;
}

/** How the records of every agent begin. */
const OPENING = /\{"[A-Za-z_]{1,20}":/g;
/** Characters, over all tries. */
const MAX_PARSED = 10_000_000;
