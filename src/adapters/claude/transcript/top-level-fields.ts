export interface Span {
  start: number;
  end: number;
}

/**
 * The positions of the values of a line's top-level fields, for each JSON object on the line. Nothing is decoded, so a value can be
 * replaced without changing any other byte. Leaves out an incomplete object.
 */
export function topLevelFields(line: string): Map<string, Span>[] {
  const objects: Map<string, Span>[] = [];
  for (let at = line.indexOf('{'); at >= 0; ) {
    const object = readObject(line, at);
    if (object === null) break;
    objects.push(object.fields);
    at = line.indexOf('{', object.end);
  }
  return objects;
}

function readObject(line: string, start: number): { fields: Map<string, Span>; end: number } | null {
  const fields = new Map<string, Span>();
  let at = start + 1;
  for (;;) {
    at = skipSpace(line, at);
    if (line[at] === '}') return { fields, end: at + 1 };
    if (line[at] === ',') at = skipSpace(line, at + 1);
    if (line[at] !== '"') return null;
    const nameEnd = stringEnd(line, at);
    const colon = skipSpace(line, nameEnd);
    if (nameEnd < 0 || line[colon] !== ':') return null;
    const valueStart = skipSpace(line, colon + 1);
    const valueEnd = endOfValue(line, valueStart);
    if (valueEnd < 0) return null;
    fields.set(line.slice(at + 1, nameEnd - 1), { start: valueStart, end: valueEnd });
    at = valueEnd;
  }
}

/** The index after the value that begins at `start`; -1 if the line ends first. */
function endOfValue(line: string, start: number): number {
  if (line[start] === '"') return stringEnd(line, start);
  let depth = 0;
  for (let at = start; at < line.length; at += 1) {
    const char = line[at];
    if (char === '"') {
      at = stringEnd(line, at) - 1;
      if (at < 0) return -1;
    } else if (char === '{' || char === '[') {
      depth += 1;
    } else if (char === '}' || char === ']') {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && char === ',') {
      return at;
    }
  }
  return -1;
}

/** The index after the closing quote of the string that opens at `start`; -1 if there is none. */
function stringEnd(line: string, start: number): number {
  for (let at = line.indexOf('"', start + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    let slashes = 0;
    while (line[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
}

function skipSpace(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t' || line[at] === '\r') at += 1;
  return at;
}
