import type { Finding } from '../../domain/text/redaction.ts';
import { looksSecret } from './looks-secret.ts';

/** Finds passwords in command-line options: `mysql -p…`, `sshpass -p …`, `curl -u name:…`. */
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

const HINT = /\b(?:mysql|mariadb|sshpass|docker|podman|helm|curl)/;
/** The rest of the same command, quoted or not. */
const BEFORE = '[^\\n;|&]{0,300}?\\s';
const VALUE = '[\'"]?([^\\s\'"`\\\\]{8,200})';

const OPTIONS = [
  `\\b(?:mysql|mysqldump|mysqladmin|mariadb|mariadb-dump)\\b${BEFORE}-p${VALUE}`,
  `\\bsshpass\\s{1,3}-p\\s{0,3}${VALUE}`,
  `\\b(?:docker|podman|helm)\\b[^\\n;|&]{0,60}\\blogin\\b${BEFORE}-p[\\s=]{1,3}${VALUE}`,
  `\\bcurl\\b${BEFORE}(?:-u|--user)[\\s=]{0,3}['"]?[\\w.@+-]{1,100}:${VALUE}`,
].map((pattern) => new RegExp(pattern, 'g'));
