import { statSync } from 'node:fs';
import type { ThisMachine } from '../../../src/ports/machine.ts';

/** The machine `here`, with the test's clock. */
export function machineHere(now: () => number = () => Date.parse('2026-03-02T10:00:00.000Z')): ThisMachine {
  return {
    name: 'here',
    platform: 'linux',
    shell: 'posix',
    now,
    directoryExists: (path) =>
      path !== '' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  };
}
