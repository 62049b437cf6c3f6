import type { Finding } from '../../domain/text/redaction.ts';
import { isPlaceholder } from './looks-secret.ts';

/** Finds secret parts of data whose kind is named elsewhere in the text: JSON Web Keys, PuTTY's keys, Kubernetes secrets, keys beside an AWS key id. */
export function findKeyData(text: string): Finding[] {
  const findings: Finding[] = [];
  const add = (rule: string, expression: RegExp, within = text, from = 0) => {
    for (const match of within.matchAll(expression)) {
      const value = match[1] ?? '';
      const start = from + match.index + match[0].lastIndexOf(value);
      if (!isPlaceholder(value)) findings.push({ rule, start, end: start + value.length });
    }
  };
  if (/["']kty\\{0,8}["']/.test(text)) add('jwk', JWK);
  if (text.includes('PuTTY-User-Key-File-')) add('privatekey', PUTTY);
  if (/(?:AKIA|ASIA)[A-Z2-7]{16}/.test(text)) add('aws', AWS);
  if (/(?:AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)/.test(text)) add('wordpress', WORDPRESS);
  if (/\b(?:mnemonic|phrase)\b/i.test(text)) add('mnemonic', MNEMONIC);
  if (text.includes(':::')) add('ntlm', NTLM);
  if (!text.includes('Secret')) return findings;
  let floor = 0;
  for (const { index, 0: head } of text.matchAll(KUBERNETES)) {
    const from = index + head.length;
    if (index < floor) continue;
    const rest = text.slice(from, from + LONGEST_MANIFEST);
    const within = rest.slice(0, NEXT_MANIFEST.exec(rest)?.index ?? rest.length);
    floor = from + within.length;
    add('kubernetes', MANIFEST, within, from);
  }
  return findings;
}

/** In CSV, in a table, in answers to `aws configure`. */
const AWS =
  /\b(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Z0-9])[\s\S]{0,160}?(?<![A-Za-z0-9+/=])((?=[A-Za-z0-9+/]{0,39}[A-Z])(?=[A-Za-z0-9+/]{0,39}[g-z])(?=[A-Za-z0-9+/]{0,39}\d)[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/g;
const WORDPRESS =
  /(?:AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)\\{0,8}["'],\s{0,40}\\{0,8}["']([^"'\n]{40,100})\\{0,8}["']/g;
/** No phrase has the words that are left out here, and most sentences have one. */
const MNEMONIC =
  /\b(?:mnemonic|(?:seed|recovery|backup)[ _-]?phrase)\\{0,8}["'`]?\s{0,3}(?:[:=]|is)\s{0,3}\\{0,8}["'`]?((?:(?!(?:the|and|for|are|was|from|not|but)\s)[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/gi;
const NTLM = /:\d{1,10}:([a-f0-9]{32}:[a-f0-9]{32}):::/g;
const JWK = /["'](?:d|p|q|dp|dq|qi|k)\\{0,8}["']\s{0,3}:\s{0,3}\\{0,8}["']([A-Za-z0-9_-]{20,2000})/g;
const LINE = /(?:(?:\\{1,8}[nr]|\s|[+>|-]|\d{1,6}[ \t]{0,3}[→:│\t-]){1,40}[A-Za-z0-9+/]{16,128}={0,2})/
  .source;
const PUTTY = new RegExp(`Private-Lines: \\d{1,4}(${LINE}{1,200})`, 'g');
const LONGEST_MANIFEST = 20_000;
const NEXT_MANIFEST = /\n---|kind\b/;
/** `kind: Secret`, in YAML and JSON, up to its `data`. */
const KUBERNETES =
  /kind\\{0,8}["']?\s{0,3}:\s{0,3}\\{0,8}["']?Secret\b(?:(?!\n---)[\s\S]){0,2000}?(?:data|stringData)\\{0,8}["']?\s{0,3}:/g;
const MANIFEST =
  /(?:\n|\\n|[{,])[^\n:{}]{0,12}?\\{0,8}["']?[\w.-]{1,80}\\{0,8}["']?\s{0,3}:[ \t]{0,3}\\{0,8}["']?([A-Za-z0-9+/]{8,20000}={0,2})(?=\\{0,8}["']?\s{0,3}(?:\n|\\n|$|[,}]))/g;
