import type { Finding } from '../../domain/text/redaction.ts';

/** Shorter key material is a placeholder. */
const SHORTEST_KEY = 40;
const LONGEST_KEY = 20_000;

/**
 * Finds PEM and PGP private keys that the library misses: encrypted keys, keys with headers, keys whose lines a tool has numbered,
 * quoted or marked as changed, and keys without beginning or end in a truncated message.
 */
export function findPrivateKeys(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { index, 0: begin } of text.matchAll(
    /-{4,5} ?BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g,
  )) {
    const last = findings.at(-1);
    if (last !== undefined && index < last.end) continue;
    const end = endOfKey(text, index + begin.length);
    if (end !== null) findings.push({ rule: 'privatekey', start: index, end });
  }
  // Each part of the text is searched only once, however many end markers there are.
  let floor = 0;
  for (const { index, 0: end } of text.matchAll(/-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g)) {
    const start = startOfKey(text, floor, index);
    floor = index + end.length;
    if (index - start < SHORTEST_KEY || findings.some((known) => known.end > start)) continue;
    findings.push({ rule: 'privatekey', start, end: index + end.length });
  }
  return findings;
}

/** Line breaks, including those in nested JSON. */
const BREAK = '(?:[ \\t]|\\r|\\n|\\\\{1,8}[nrt])';
/** What may precede a line: `12→`, `12:`, `key.pem:12:`, `key.pem-12-`, `> `, `+`, `-`, `| `, `" +`. */
const PREFIX =
  '(?:[ \\t]{0,20}(?:[\\w./@-]{0,100}[:-])?\\d{1,6}[ \\t]{0,3}(?:→|[:|│\\t-])[ \\t]{0,8}|[ \\t]{0,20}[>|+#"\'`-]{1,3}(?!-)[ \\t]{0,8}|[ \\t]{1,40})?';
const HEADER = '[A-Za-z][A-Za-z-]{1,20}: [^\\n\\\\]{0,200}';
const END = '-{5,7}END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
const KEY = '[A-Za-z0-9+/=]';
/** Short words count as key material only at its end: they may be prose after a truncated key. */
const STEP = new RegExp(
  `(?:${BREAK}{0,40}|["'\`],?${BREAK}{0,40})${PREFIX}(?:(?<end>${END})|(?<header>${HEADER}(?=\\n|\\\\))|(?<key>${KEY}{16,20000}|${KEY}{1,76}(?=["'\`]?${BREAK}{1,40}${PREFIX}(?:=?${KEY}{4,5}${BREAK}{1,40}${PREFIX})?${END})))`,
  'y',
);

/** The end of the key that begins here; null if there is too little key material. */
function endOfKey(text: string, from: number): number | null {
  let [at, letters] = [from, 0];
  while (at - from < LONGEST_KEY) {
    STEP.lastIndex = at;
    const { end, key, header } = STEP.exec(text)?.groups ?? {};
    if (end === undefined && key === undefined && header === undefined) break;
    if (header !== undefined && letters > 0) break;
    at = STEP.lastIndex;
    letters += key?.length ?? 0;
    if (end !== undefined) break;
  }
  return letters < SHORTEST_KEY ? null : at;
}

const LINE = new RegExp(`^${PREFIX}${KEY}{1,120}$`);
const BREAKS = /(?:\r?\n|\\{1,8}[nr])+/g;

/** Walks back over lines of key material from the end marker of a key without a beginning. */
function startOfKey(text: string, floor: number, end: number): number {
  const from = Math.max(floor, end - LONGEST_KEY);
  const before = text.slice(from, end);
  const breaks = [...before.matchAll(BREAKS)];
  let start = before.length;
  for (let at = breaks.length - 1; at >= 0; at -= 1) {
    const previous = breaks[at - 1];
    const lineStart = previous === undefined ? 0 : previous.index + previous[0].length;
    if (!LINE.test(before.slice(lineStart, breaks[at]?.index))) break;
    start = lineStart;
  }
  return from + start;
}
