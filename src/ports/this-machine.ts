import type { Shell } from '../domain/shell.ts';

/** What use cases need to know of the computer they run on. */
export interface ThisMachine {
  /** The name under which its sessions are stored. */
  name: string;
  platform: NodeJS.Platform;
  /** The shell that command lines are written for. */
  shell: Shell;
  now(): number;
  directoryExists(path: string): boolean;
}
