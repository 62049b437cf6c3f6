import { readRegularText } from './regular-file.ts';

/** What one of smart-fork's own small files says; null if there is none, or if it is damaged. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readRegularText(path));
  } catch {
    // Not written yet, cut off, or another program's.
    return null;
  }
}
