import { SmartForkError } from './errors.ts';

/** For a cursor that no list has given. */
export function badCursor(cursor: string): SmartForkError {
  return new SmartForkError('USAGE', `"${cursor}" is not the cursor of a list`, {
    hint: 'Give the cursor that the page before ended with, unchanged; leave it out to begin with the newest session.',
  });
}
