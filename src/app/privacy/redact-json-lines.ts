import type { RedactableText, Redactor } from '../../ports/redactor.ts';

/** Text per call of the redactor, in UTF-16 units. */
const BATCH_LENGTH = 1_000_000;

/**
 * Redacts the lines of a transcript. JSON strings are unescaped, redacted and escaped again; all other bytes stay the same, so
 * valid lines stay valid and the agent can still resume. A line that is not JSON is redacted as text. Redacting parts that end
 * at line ends gives the same result as redacting the whole.
 * @returns the lines, and the rule of each redaction.
 */
export async function redactJsonLines(
  bytes: Uint8Array,
  redactor: Redactor,
): Promise<{ bytes: Uint8Array; rules: string[] }> {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const output: Uint8Array[] = [];
  const rules: string[] = [];
  let batch: Line[] = [];
  let size = 0;
  const flush = async () => {
    const redacted = await redactLines(batch, redactor);
    // Not spread into one call: a batch may have a million empty lines.
    for (const line of redacted.lines) output.push(line);
    for (const rule of redacted.rules) rules.push(rule);
    batch = [];
    size = 0;
  };
  for (const line of linesOf(input)) {
    batch.push(line);
    size += line.bytes.length;
    if (size >= BATCH_LENGTH) await flush();
  }
  await flush();
  return rules.length === 0 ? { bytes, rules } : { bytes: Buffer.concat(output), rules };
}

interface Line {
  bytes: Buffer;
  text: string;
  strings: JsonString[];
}

/** A part of a line: a JSON string with its quotes, or (`bare`) text that is not JSON. */
interface JsonString {
  start: number;
  end: number;
  value: RedactableText;
  bare: boolean;
}

function* linesOf(input: Buffer): Generator<Line> {
  for (let from = 0; from < input.length; ) {
    const newline = input.indexOf(10, from);
    const end = newline < 0 ? input.length : newline + 1;
    const bytes = input.subarray(from, end);
    const text = bytes.toString('utf8');
    yield { bytes, text, strings: stringsOf(text) };
    from = end;
  }
}

async function redactLines(
  lines: Line[],
  redactor: Redactor,
): Promise<{ lines: Uint8Array[]; rules: string[] }> {
  const redactions = await redactor.redact(lines.flatMap(({ strings }) => strings.map(({ value }) => value)));
  let next = 0;
  const redacted = lines.map(({ bytes, text, strings }) => {
    let result = '';
    let from = 0;
    for (const { start, end, value, bare } of strings) {
      const replacement = redactions[next++]?.text ?? '';
      if (replacement === value.text) continue;
      result += text.slice(from, start) + (bare ? replacement : JSON.stringify(replacement));
      from = end;
    }
    return from === 0 ? bytes : Buffer.from(result + text.slice(from));
  });
  return { lines: redacted, rules: redactions.flatMap(({ rules }) => rules) };
}

/** The strings of a line in order; the whole line if it is not JSON. */
function stringsOf(line: string): JsonString[] {
  const strings: JsonString[] = [];
  let key: string | null = null;
  let from = 0;
  for (;;) {
    const start = line.indexOf('"', from);
    const gap = line.slice(from, start < 0 ? line.length : start);
    if (!BETWEEN_STRINGS.test(gap)) return asText(line);
    if (start < 0) return strings;
    const end = endOfString(line, start);
    const text = end < 0 ? null : decode(line.slice(start, end));
    if (text === null) return asText(line);
    const name = key !== null && /^\s*:\s*$/.test(gap) ? key : undefined;
    if (!isOpaque(name, text)) {
      strings.push({ start, end, value: name === undefined ? { text } : { text, name }, bare: false });
    }
    key = text;
    from = end;
  }
}

/** Punctuation, numbers and literals. */
const BETWEEN_STRINGS = /^[\s{}[\]:,]*(?:(?:true|false|null|-?\d[\d.eE+-]*)(?=[\s{}[\]:,]|$)[\s{}[\]:,]*)*$/;

function asText(line: string): JsonString[] {
  const end = line.trimEnd().length;
  return end === 0 ? [] : [{ start: 0, end, value: { text: line.slice(0, end) }, bare: true }];
}

function endOfString(line: string, start: number): number {
  for (let at = line.indexOf('"', start + 1); at >= 0; at = line.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (line[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return -1;
}

function decode(literal: string): string | null {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    const value: unknown = JSON.parse(literal);
    return typeof value === 'string' ? value : null;
  } catch {
    // Not a JSON string: the caller treats the line as text.
    return null;
  }
}

/** Fields signed or encrypted by the agent's service. They contain no text and must stay unchanged. */
function isOpaque(name: string | undefined, text: string): boolean {
  return (name === 'signature' || name === 'encrypted_content') && /^[A-Za-z0-9+/=_-]{64,}$/.test(text);
}
