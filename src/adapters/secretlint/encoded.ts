import type { Finding } from '../../domain/text/redaction.ts';

/** Whether a decoded text has a secret. */
type Detect = (text: string) => Promise<boolean>;

/** Finds Base64 of texts with secrets in them: key files, settings, tokens. */
export async function findEncoded(text: string, hasSecret: Detect): Promise<Finding[]> {
  if (!MAY_BE_ENCODED.test(text)) return [];
  const findings: Finding[] = [];
  for (const match of text.matchAll(ENCODED)) {
    const run = match[0].replace(BREAKS, '');
    const plain = decode(run);
    if (plain !== null && (await hasSecret(plain)))
      findings.push({ rule: 'encoded', start: match.index, end: match.index + match[0].length });
  }
  return findings;
}

/** Base64 of ASCII begins with one of these letters: each fourth letter is a high half of a byte below 128. */
const MAY_BE_ENCODED = /(?<![A-Za-z0-9+/])[A-Za-f][A-Za-z0-9+/]{39}/;
const BREAKS = /\\{1,8}[nr]|\s/g;
const ENCODED =
  /(?<![A-Za-z0-9+/_-])[A-Za-f][A-Za-z0-9+/]{39,20000}(?:(?:\r?\n|\\{1,8}n)[ \t]{0,20}[A-Za-z0-9+/]{40,200}){0,200}(?:(?:\r?\n|\\{1,8}n)[ \t]{0,20}[A-Za-z0-9+/]{1,200})?={0,2}/g;

/** Null for what is not Base64 of a text: random bytes, words, paths. */
function decode(run: string): string | null {
  if (!isText(atob(run.slice(0, 32)))) return null;
  const whole = run.replace(/=+$/, '');
  const plain = Buffer.from(whole, 'base64').toString('latin1');
  return isText(plain.slice(0, 2000)) ? plain : null;
}

function isText(plain: string): boolean {
  return /^[\t\n\r\x20-\x7e]+$/.test(plain);
}
