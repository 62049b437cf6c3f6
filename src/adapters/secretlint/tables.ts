import type { Finding } from '../../domain/text/redaction.ts';
import { isSecretIn, namesSecret } from './named-secrets.ts';

/** Finds secrets in tables, in Markdown, in a database's output and in CSV, by the heading of their column. */
export function findInTables(text: string): Finding[] {
  if (!HEADING.test(text)) return [];
  const findings: Finding[] = [];
  let table: Table | null = null;
  for (const { 0: line, index } of text.matchAll(LINE)) {
    if (RULE.test(line)) continue;
    const cells = table === null ? [] : line.split(table.separator);
    if (table === null || cells.length !== table.width) {
      table = tableOf(line);
      continue;
    }
    let at = index;
    for (const [column, cell] of cells.entries()) {
      const name = table.secret.get(column);
      const value = cell.replace(AROUND, '');
      const start = at + cell.indexOf(value);
      if (name !== undefined && !/\s/.test(value) && isSecretIn(name, value))
        findings.push({ rule: 'named-secret', start, end: start + value.length });
      at += cell.length + 1;
    }
  }
  return findings;
}

interface Table {
  separator: string;
  width: number;
  /** The headings of the columns that hold secrets. */
  secret: Map<number, string>;
}

/** The table that a line begins; null if it names no secret among other columns. */
function tableOf(line: string): Table | null {
  const separator = SEPARATORS.find((one) => line.includes(one));
  if (separator === undefined || !HEADING.test(line)) return null;
  const cells = line.split(separator).map((cell) => cell.replace(AROUND, ''));
  if (!cells.every((cell) => CELL.test(cell))) return null;
  const secret = new Map([...cells.entries()].filter(([, cell]) => namesSecret(cell)));
  return secret.size === 0 ? null : { separator, width: cells.length, secret };
}

const SEPARATORS = ['|', '│', '\t', ',', ';'];
const HEADING =
  /(?:pass|pwd|secret|token|key|credential)[a-z]{0,8}(?:_\w{1,10})?["'`]?[ \t]{0,40}(?:[|│\t,;\r\n]|$)/i;
const LINE = /[^\r\n]{1,4000}/g;
/** The line below the headings. */
const RULE = /^[\s|+:=\u2500-\u257f-]{3,}$/;
const CELL = /^[\w .#/()-]{0,40}$/;
const AROUND = /^[\s"'`*]{1,40}|[\s"'`*]{1,40}$/g;
