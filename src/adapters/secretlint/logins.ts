import type { Finding } from '../../domain/text/redaction.ts';
import { looksSecret } from './looks-secret.ts';

/** Finds random-looking passwords in URLs of any scheme. The library's rules require a dotted host and letters. */
export function findLogins(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(LOGIN)) {
    const { user = '', password = '' } = match.groups ?? {};
    if (!looksSecret(password, true)) continue;
    const end = match.index + match[0].length - 1;
    findings.push({ rule: 'login', start: end - password.length - user.length - 1, end });
  }
  return findings;
}

const LOGIN = /:\/\/(?<user>[^\s:@/"'`<>]{0,100}):(?<password>[^\s@/"'`<>]{8,200})@(?=[\w[])/g;
