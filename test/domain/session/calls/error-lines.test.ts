import { expect, it } from 'vitest';
import {
  errorLines,
  errorsOfPassed,
  tellsOfErrors,
} from '../../../../src/domain/session/calls/error-lines.ts';
import { cpuTime } from '../../../support/cpu-time.ts';

it.each([
  [
    'starting\nTypeError: x is not a function\n    at run (/srv/a.ts:3:5)\n',
    'TypeError: x is not a function\nat run (/srv/a.ts:3:5)',
  ],
  ['src/a.ts(3,5): error TS2339: no such property\n', 'src/a.ts(3,5): error TS2339: no such property'],
  [
    'error[E0308]: mismatched types\n  --> src/main.rs:4:5\n',
    'error[E0308]: mismatched types\n--> src/main.rs:4:5',
  ],
  ['✓ one\n✗ two is right\n1 failed\n', '✗ two is right'],
  ['bash: bunx: command not found\n', 'bash: bunx: command not found'],
  ['Traceback (most recent call last):\n  File "a.py", line 3\nValueError: bad\n', 'ValueError: bad'],
  ['fatal: not a git repository\n', 'fatal: not a git repository'],
])('finds the lines that explain a failure in %j', (output, expected) => {
  expect(errorLines(output)).toBe(expected);
});

it('finds no error in output without one', () => {
  expect(errorLines('12 passed\n0 errors\nDone in 3 s\n')).toBeNull();
  expect(errorLines('')).toBeNull();
});

it('takes a reported commit for a passed command, whatever its hooks printed', () => {
  const hooks = 'error: Item 3 failed\n1 tests failed\n';
  expect(errorsOfPassed(hooks)).toBe('error: Item 3 failed');
  expect(
    errorsOfPassed(`${hooks}[main 6c8aa66] Hide the selector\n 1 file changed, 2 insertions(+)\n`),
  ).toBeNull();
});

it('searches the ends of a long output alone, and takes time in proportion to its length', () => {
  const output = `${'a'.repeat(2_000_000)}\n${': '.repeat(500_000)}\nTypeError: late\n`;
  const time = cpuTime(() => expect(errorLines(output)).toBe('TypeError: late'));
  expect(time).toBeLessThan(500);
});

it.each([
  ...['1 failed', '2 tests failing', '3 failures', '1 failure', '4 errors', '1 error'],
  ...['FAIL src/a.test.ts', 'FAILED (x)', 'a.ts(1,2): error TS2345: no'],
])('takes "%s" for a report of errors', (line) => {
  expect(tellsOfErrors(`before\n${line}\nafter`)).toBe(true);
});

it('takes no other words for one, and looks for words first', () => {
  const output = Array.from({ length: 200_000 }, (_, at) => `word${(at * 7919) % 997}`).join(' ');
  expect(tellsOfErrors(output)).toBe(false);
  const often = (work: () => unknown) => cpuTime(() => Array.from({ length: 50 }, work));
  const ratios = Array.from({ length: 3 }, () => {
    const floor = often(() => output.includes('fail'));
    return often(() => tellsOfErrors(output)) / floor;
  });
  // Three words take about three times as long as one; the expression alone takes far longer.
  expect(Math.min(...ratios)).toBeLessThan(12);
});
