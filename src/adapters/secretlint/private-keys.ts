import type { Finding } from '../../domain/text/redaction.ts';

/** Shorter key material is a placeholder. */
const SHORTEST_KEY = 40;
const LONGEST_KEY = 20_000;

/**
 * Finds PEM private keys that the library misses: encrypted keys, keys with headers, and keys without beginning or end in a
 * truncated message.
 */
export function findPrivateKeys(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { index, 0: begin } of text.matchAll(/-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g)) {
    const body = text.slice(index + begin.length, index + begin.length + LONGEST_KEY);
    const key = CLOSED.exec(body)?.[0] ?? CUT_OFF.exec(body)?.[0] ?? '';
    if (key.replace(/[^A-Za-z0-9+/]/g, '').length < SHORTEST_KEY) continue;
    findings.push({ rule: 'privatekey', start: index, end: index + begin.length + key.length });
  }
  for (const { index, 0: end } of text.matchAll(/-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g)) {
    const start = startOfKey(text, index);
    if (index - start < SHORTEST_KEY || findings.some((known) => known.end > start)) continue;
    findings.push({ rule: 'privatekey', start, end: index + end.length });
  }
  return findings;
}

const HEADERS = '(?:(?:\\s|\\\\n)*[A-Za-z-]{2,20}: [^\\n\\\\]{0,200}(?:\\n|\\\\n))*';
const CLOSED = new RegExp(
  `^${HEADERS}[A-Za-z0-9+/=\\s\\\\]*-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`,
);
/** Without an end marker, only words too long for prose count as key material. */
const CUT_OFF = new RegExp(`^${HEADERS}(?:(?:\\s|\\\\[nr])*[A-Za-z0-9+/=]{16,})*`);

/** Walks back over lines of key material from the end marker of a key without a beginning. */
function startOfKey(text: string, end: number): number {
  let start = end;
  while (end - start < LONGEST_KEY) {
    const line = KEY_LINE.exec(text.slice(Math.max(0, start - 200), start))?.[1] ?? '';
    if (line === '') break;
    start -= line.length;
  }
  return start;
}

const KEY_LINE = /(?:^|\s|\\[nr])([A-Za-z0-9+/=]{1,120}(?:\s|\\[nr])+)$/;
