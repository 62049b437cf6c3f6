import type { Finding } from '../../domain/text/redaction.ts';
import { looksSecret } from './looks-secret.ts';

/** Finds passwords in commands: `mysql -p…`, `sshpass -p …`, `curl -u name:…`, `IDENTIFIED BY '…'`. */
export function findCommandPasswords(text: string): Finding[] {
  if (!HINT.test(text)) return [];
  const findings: Finding[] = [];
  for (const option of OPTIONS) {
    for (const match of text.matchAll(option)) {
      const value = match[1] ?? '';
      const end = match.index + match[0].length;
      if (looksSecret(value, true)) findings.push({ rule: 'named-secret', start: end - value.length, end });
    }
  }
  return findings;
}

const HINT = /\b(?:mysql|mariadb|sshpass|docker|podman|helm|curl)|\s-auth\s|identified/i;
/** The rest of the same command, quoted or not. */
const BEFORE = '[^\\n;|&]{0,300}?\\s';
const VALUE = '[\'"]?([^\\s\'"`\\\\]{8,200})';

const OPTIONS = [
  `\\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\b${BEFORE}-p${VALUE}`,
  `\\bsshpass\\s{1,3}-p\\s{0,3}${VALUE}`,
  `\\b(?:docker|podman|helm)\\b[^\\n;|&]{0,60}\\blogin\\b${BEFORE}-p[\\s=]{1,3}${VALUE}`,
  `\\bcurl\\b${BEFORE}(?:-u|--user)[\\s=]{0,3}['"]?[\\w.@+-]{1,100}:${VALUE}`,
  // A token as the name, with an empty password
  `\\bcurl\\b${BEFORE}(?:-u|--user)[\\s=]{0,3}['"]?([A-Za-z0-9_-]{20,200})(?=:['"\\s])`,
  `\\s-auth[\\s=]{1,3}['"]?[\\w.@+-]{1,100}:${VALUE}`,
  `\\b(?:IDENTIFIED|identified)\\s{1,3}(?:(?:WITH|with)\\s{1,3}\\S{1,40}\\s{1,3})?(?:BY|by)\\s{1,3}${VALUE}`,
].map((pattern) => new RegExp(pattern, 'g'));
