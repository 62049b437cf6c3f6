import { sep } from 'node:path';

/** The one of an agent's homes that contains a path; the first if none does. */
export function homeOf(homes: string[], path: string): string {
  return homes.find((home) => path.startsWith(home + sep)) ?? homes[0] ?? '';
}
