import type { Finding } from '../../domain/text/redaction.ts';
import { createRunFinder } from './long-runs.ts';

/** Whether a decoded text has a secret. */
type Detect = (text: string) => Promise<boolean>;

/** Finds Base64 of texts with secrets in them: key files, settings, tokens. */
export async function findEncoded(text: string, hasSecret: Detect): Promise<Finding[]> {
  const findings: Finding[] = [];
  let floor = 0;
  for (const { start } of findRuns(text)) {
    if (start < floor || !isText(atob(text.slice(start, start + 32)))) continue;
    ENCODED.lastIndex = start;
    const encoded = ENCODED.exec(text)?.[0] ?? '';
    floor = start + encoded.length;
    const plain = Buffer.from(encoded.replace(BREAKS, ''), 'base64').toString('latin1');
    if (KEY_FILE.test(plain) || (isText(plain.slice(0, 2000)) && (await hasSecret(plain))))
      findings.push({ rule: 'encoded', start, end: floor });
  }
  return findings;
}

const findRuns = createRunFinder(/[A-Za-z0-9+/]/, 40);
/** Even of a damaged or truncated key. */
const KEY_FILE = /^-{4,5} ?BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/;
const BREAKS = /\\{1,8}[nr]|\s/g;
/** In one line or in many. */
const ENCODED =
  /[A-Za-z0-9+/]{40,100000}(?:(?:\r?\n|\\{1,8}n)[ \t]{0,20}[A-Za-z0-9+/]{40,200}){0,200}(?:(?:\r?\n|\\{1,8}n)[ \t]{0,20}[A-Za-z0-9+/]{1,200}(?=[=\s\\"'`]|$))?={0,2}/y;

/** Random bytes, words and paths decode to something else. */
function isText(plain: string): boolean {
  return /^[\t\n\r\x20-\x7e]+$/.test(plain);
}
