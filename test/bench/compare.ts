import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from './bench.ts';

// Compares two states of the repository: node test/support/run-bundled.js test/bench/compare.ts FOLDER, with the output of
// `npm run bench -- --json` in base-*.json and head-*.json. Exits with 1 if something takes more than a fifth longer.

const MOST = 1.2;

type MeasuredRow = Row & { ratio: number | null };

const [folder = '.'] = process.argv.slice(2);
const [base, head] = [best('base'), best('head')];
const compared = [...head].flatMap(([what, value]) => {
  const before = base.get(what);
  return before === undefined || before === 0 ? [] : [{ what, before, value, change: value / before }];
});
for (const { what, before, value, change } of compared)
  console.log(
    `${change > MOST ? 'SLOWER ' : '       '}${percent(change)}  ${before.toFixed(2)} → ${value.toFixed(2)}  ${what}`,
  );
if (compared.length === 0 || compared.some(({ change }) => change > MOST)) process.exitCode = 1;

/** The least of all runs: other programs only add to a time. */
function best(state: string): Map<string, number> {
  const least = new Map<string, number>();
  const files = readdirSync(folder).filter((name) => name.startsWith(`${state}-`));
  for (const name of files)
    for (const row of rowsIn(join(folder, name)))
      least.set(row.what, Math.min(costOf(row), least.get(row.what) ?? Number.POSITIVE_INFINITY));
  return least;
}

function rowsIn(path: string): MeasuredRow[] {
  return JSON.parse(readFileSync(path, 'utf8')).rows;
}

/** Relative to the floor, if there is one; the inverse of what should be large. */
function costOf({ ratio, measured, target }: MeasuredRow): number {
  const value = ratio ?? measured.value;
  return target?.least === undefined ? value : 1 / value;
}

function percent(change: number): string {
  return `${change > 1 ? '+' : ''}${(100 * (change - 1)).toFixed(0)} %`.padStart(6);
}
