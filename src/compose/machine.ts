import { statSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import type { ThisMachine } from '../ports/machine.ts';

export function thisMachine(config: Config): ThisMachine {
  return {
    name: config.machine,
    platform: process.platform,
    shell: config.shell,
    now: () => Date.now(),
    directoryExists: (path) =>
      path !== '' && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
  };
}
