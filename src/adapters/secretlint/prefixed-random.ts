import type { Finding } from '../../domain/text/redaction.ts';
import { changes, isPlaceholder, isWordy } from './looks-secret.ts';

/**
 * Finds tokens of issuers that no table knows: a name, `_` or `-`, and at least 32 random letters and digits. Ids of agents, of
 * payment services and in file names are shorter, or hexadecimal.
 */
export function findPrefixedRandom(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(RANDOM)) {
    const { 1: value = '', index } = match;
    const end = index + match[0].length;
    if (!isRandom(value) || FILE.test(text.slice(end, end + 6))) continue;
    const prefix = PREFIX.exec(text.slice(Math.max(0, index - LONGEST_PREFIX), index + 1))?.[1];
    if (prefix !== undefined && !DIGEST.test(prefix))
      findings.push({ rule: 'token', start: index + 1 - prefix.length, end });
  }
  return findings;
}

const RANDOM = /[_-]([A-Za-z0-9]{32,200})(?![A-Za-z0-9_+/=-])/g;
const LONGEST_PREFIX = 40;
const PREFIX =
  /(?:^|[^\w+/.$@%~-]|\\[nrt]|(?:^|\n|\\n)[+-])([A-Za-z][A-Za-z0-9]{1,15}(?:[_-][A-Za-z0-9]{1,12}){0,2}[_-])$/;
const DIGEST = /^(?:sha|md|crc|blake|index|chunk|cache|hash|etag|build|bundle|runtime)/i;
const FILE = /^\.[a-z]{1,5}/;

/** Both cases and digits in turn, or one case with many digits beyond hexadecimal. */
function isRandom(value: string): boolean {
  const digits = value.match(/\d/g)?.length ?? 0;
  if (digits < 2 || isWordy(value) || isPlaceholder(value) || new Set(value).size < 14) return false;
  const hasBoth = /[a-z]/.test(value) && /[A-Z]/.test(value);
  const isHex = /^[a-f\d]+$/i.test(value);
  return hasBoth ? changes(value) >= 10 : !isHex && value.length >= 40 && digits >= 5 && changes(value) >= 5;
}
