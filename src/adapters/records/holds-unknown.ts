import { holdsText } from '../jsonl/holds-text.ts';
import type { Row, RowFormat } from './row-format.ts';

/** Whether a record has text in something of a kind that the format does not know. */
export function holdsUnknown({ unknownIn }: RowFormat, row: Row): boolean {
  return unknownIn?.(row).some((one) => holdsText(one)) === true;
}
