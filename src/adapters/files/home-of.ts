import { sep } from 'node:path';

/** The one of an agent's homes that contains the first of these paths that is in any; the first home if none is. */
export function homeOf(homes: string[], ...paths: string[]): string {
  for (const path of paths) {
    const home = homes.find((one) => path.startsWith(one + sep));
    if (home !== undefined) return home;
  }
  return homes[0] ?? '';
}
