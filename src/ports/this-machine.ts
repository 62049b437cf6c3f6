/** What use cases need to know of the computer they run on. */
export interface ThisMachine {
  /** The name under which its sessions are stored. */
  name: string;
  platform: NodeJS.Platform;
  now(): number;
  directoryExists(path: string): boolean;
}
