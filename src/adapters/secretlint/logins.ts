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
  for (const match of text.matchAll(TOKEN_LOGIN)) {
    const token = match.groups?.token ?? '';
    const start = match.index + match[0].indexOf(token);
    if (looksSecret(token, false)) findings.push({ rule: 'login', start, end: start + token.length });
  }
  for (const match of text.matchAll(DSN)) {
    const password = match.groups?.password ?? '';
    const start = match.index + match[0].indexOf(password);
    if (looksSecret(password, true)) findings.push({ rule: 'login', start, end: start + password.length });
  }
  for (const match of text.matchAll(PGPASS)) {
    const password = match.groups?.password ?? '';
    const end = match.index + match[0].length;
    if (looksSecret(password, true)) findings.push({ rule: 'login', start: end - password.length, end });
  }
  return findings;
}

const LOGIN = /:\/\/(?<user>[^\s:@/"'`<>]{0,100}):(?<password>[^\s@/"'`<>]{8,200})@(?=[\w[])/g;
/** `https://TOKEN@host`, `https://TOKEN:x-oauth-basic@host`. */
const TOKEN_LOGIN = /:\/\/(?<token>[A-Za-z0-9_.~+/=-]{20,400}?)(?::[\w-]{0,20})?@(?=[\w[])/g;
/** Go's data source names: `name:password@tcp(host:3306)/database`. */
const DSN = /(?<![\w.-])[\w.-]{1,64}:(?<password>[^\s@/"'`:]{8,200})@(?:tcp|unix|udp)\d?\(/g;
/** A line of `.pgpass`: host:port:database:user:password. */
const PGPASS =
  /(?<![\w:/])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,63}:(?!\d\d:)[\w.*-]{1,63}:(?<password>[^\s:"'`\\]{8,200})/g;
