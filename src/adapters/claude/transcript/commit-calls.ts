import { closeSync, openSync, readSync } from 'node:fs';
import { isRecord } from './read-value.ts';

/** Which tool calls run `git commit` or another command of git's that reports commits as it does. */
export interface CommitCalls {
  note(id: string, input: Record<string, unknown>): void;
  /** Whether the call of this id is one. A call that was read in an earlier part is looked up in the file. */
  includes(id: string): boolean;
}

const COMMITS = /\bgit\b[^|;&\n]*\b(?:commit|merge|cherry-pick|revert|rebase|am|pull)\b/;

/** A call stands close before its result: so many bytes before `from` are looked through. */
const LOOK_BACK_BYTES = 4 * 1024 * 1024;

/** The report of a commit in a file that was merely read is none of the session's: what was called decides. */
export function createCommitCalls(path: string, from: number): CommitCalls {
  const known = new Map<string, boolean>();
  let before: Buffer | null = null;
  const note = (id: string, input: Record<string, unknown>) =>
    known.set(id, typeof input.command === 'string' && COMMITS.test(input.command));
  return {
    note,
    includes(id) {
      if (!known.has(id)) {
        before ??= readBefore(path, from);
        const input = findInput(before, id);
        if (input === null) known.set(id, false);
        else note(id, input);
      }
      return known.get(id) === true;
    },
  };
}

function readBefore(path: string, from: number): Buffer {
  const start = Math.max(0, from - LOOK_BACK_BYTES);
  const buffer = Buffer.allocUnsafe(from - start);
  const file = openSync(path, 'r');
  try {
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start));
  } finally {
    closeSync(file);
  }
}

function findInput(before: Buffer, id: string): Record<string, unknown> | null {
  const at = before.lastIndexOf(`"id":${JSON.stringify(id)}`);
  if (at < 0) return null;
  const end = before.indexOf(10, at);
  const line = before.toString('utf8', before.lastIndexOf(10, at) + 1, end < 0 ? before.length : end);
  try {
    const { message } = JSON.parse(line) as { message?: { content?: unknown } };
    const blocks = Array.isArray(message?.content) ? message.content : [];
    const call = blocks.find((block) => isRecord(block) && block.id === id);
    return isRecord(call) && isRecord(call.input) ? call.input : null;
  } catch {
    // A line that cannot be read called nothing.
    return null;
  }
}
