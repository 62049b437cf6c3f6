import { asText } from '../jsonl/read-value.ts';
import type { Row } from '../records/row-format.ts';

/**
 * What the window shows, without what it shows twice: a command's output comes in pieces, which become one row that names its command, and
 * the result of a task is first said, then asked about.
 */
export function asShown(rows: Row[]): Row[] {
  const shown: Row[] = [];
  let command: Row | null = null;
  let output: Row | null = null;
  for (const row of rows) {
    const kind = kindOf(row);
    if (kind === 'command_output' && output !== null) {
      output.text = `${asText(output.text) ?? ''}\n${asText(row.text) ?? ''}`;
      continue;
    }
    const next: Row = shown.length === 0 ? { ...row, isFirst: true } : { ...row };
    if (kind === 'command') [command, output] = [next, null];
    if (kind === 'command_output') {
      output = next;
      next.call = command === null ? null : callId(command);
    }
    shown.push(next);
  }
  return shown;
}

/** What a message is: of what it says or, if it asks, of what. */
export function kindOf(row: Row): string | null {
  return asText(row.type === 'ask' ? row.ask : row.say);
}

/** Messages have no id of their own. */
export function callId(row: Row): string {
  return `${kindOf(row)} ${String(row.ts)}`;
}
