import type { Finding } from '../../domain/text/redaction.ts';
import { looksSecret } from './looks-secret.ts';

/** Finds random values in cookie headers and in options such as `curl -b 'session=…'`: who has them is signed in. */
export function findCookies(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { index, 0: header } of text.matchAll(HEADER)) {
    PAIR.lastIndex = index + header.length;
    for (let pair = PAIR.exec(text); pair !== null; pair = PAIR.exec(text)) {
      const value = pair[1] ?? '';
      const start = pair.index + pair[0].lastIndexOf(value);
      if (value.length >= SHORTEST && looksSecret(decoded(value), false))
        findings.push({ rule: 'cookie', start, end: start + value.length });
    }
  }
  return findings;
}

const SHORTEST = 16;
const HEADER =
  /[cC]ookies?\\{0,8}["'`]?\s{0,3}[:=]\s{0,3}\\{0,8}["'`]?|\bcurl\b[^\n]{0,300}?\s(?:-b|--cookie)[\s=]{1,3}["']?/g;
/** Attributes such as `Path=/` and `HttpOnly` come between the pairs, too. */
const PAIR = /(?:[;\s]{0,4}[\w.$!#%&*+^|~-]{1,100}(?:=([^;\s"'`\\,]{0,4096})|(?=;)))/y;

/** `s%3A…` is a signed value. */
function decoded(value: string): string {
  return value.replace(/^s(?:%3A|:)/i, '').replace(/%[0-9a-fA-F]{2}/g, '+');
}
