import { dirname, join } from 'node:path';
import type { TranscriptPart } from '../../../ports/transcript-source.ts';
import { continuesIn } from '../transcript/find-reverted.ts';
import { startOf } from './restore-path.ts';

interface Start {
  from: number;
  threadId: string;
  /** The rollout that this one continues, by the id in its name. */
  continues: string;
  time: string;
}

/**
 * The rollouts in the bytes of a whole thread, as files: Codex does not go back in one file. Those that are there come first, in order.
 * A later rollout's own id is only in its name and in the first line of the next one, so the last one gets a new id.
 */
export async function splitRollouts(
  present: readonly string[],
  bytes: AsyncIterable<Uint8Array>,
): Promise<TranscriptPart[]> {
  const starts: Start[] = [];
  const end = await eachLine(bytes, (line, from) => {
    const start = from === 0 ? null : continuesIn(line);
    if (start !== null) starts.push({ ...start, from });
  });
  const [first = ''] = present;
  const nameOf = ({ threadId, time }: Start, at: number) => {
    const next = starts[at + 1]?.continues;
    const id = next === undefined || next === threadId ? idAt(time, threadId) : next;
    return `rollout-${time.slice(0, 19).replaceAll(':', '-')}-${threadId}_${id}.jsonl`;
  };
  const paths = [first, ...starts.map((start, at) => join(dirname(first), nameOf(start, at)))];
  return paths.map((path, at) => ({
    path: present[at] ?? path,
    from: at === 0 ? 0 : (starts[at - 1]?.from ?? 0),
    to: starts[at]?.from ?? end,
  }));
}

/** Like the thread's id, but of another time. */
function idAt(time: string, threadId: string): string {
  const ms = Math.max(Date.parse(time) || 0, (startOf(threadId)?.getTime() ?? 0) + 1);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${threadId.slice(13)}`;
}

/** Returns the number of bytes. */
async function eachLine(
  bytes: AsyncIterable<Uint8Array>,
  visit: (line: Buffer, from: number) => void,
): Promise<number> {
  let held: Uint8Array[] = [];
  let [from, read] = [0, 0];
  for await (const part of bytes) {
    let start = 0;
    for (let end = part.indexOf(10); end >= 0; end = part.indexOf(10, start)) {
      visit(Buffer.concat([...held, part.subarray(start, end)]), from);
      held = [];
      start = end + 1;
      from = read + start;
    }
    held.push(part.subarray(start));
    read += part.length;
  }
  return read;
}
