import { SmartForkError } from './errors.ts';

/** The error for a cursor that no list returned. */
export function badCursor(cursor: string): SmartForkError {
  return new SmartForkError('USAGE', `invalid cursor "${cursor}"`, {
    hint: 'Pass the cursor of the previous page unchanged, or none to start with the newest session.',
  });
}
