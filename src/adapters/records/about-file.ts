import { recordsOfLine } from '../jsonl/objects-of-line.ts';
import { readLines } from '../jsonl/read-lines.ts';
import type { LinesFormat } from './lines-format.ts';
import type { Row, SessionAbout } from './row-format.ts';

/** What the first records of a transcript say of its session; null if it is not one of this agent's. */
export function aboutFile(format: LinesFormat, path: string): SessionAbout | null {
  const first: Row[] = [];
  readLines(path, 0, 0, (line, number, _offset, complete) => {
    first.push(...recordsOfLine(line));
    return complete && number < FIRST_LINES;
  });
  return format.about(first);
}

/** Enough to reach the first message: settings and notices come before it. */
const FIRST_LINES = 40;
