import { isRecord } from '../../../domain/is-record.ts';
import { readBytes } from '../../jsonl/open-file.ts';
import { asList, asRecord, parseJson } from '../../jsonl/read-value.ts';

/** Tool calls that run `git commit`, or another git command with the same report. */
export interface CommitCalls {
  note(id: string, input: Record<string, unknown>): void;
  /** Also finds calls from an earlier read of the file. */
  includes(id: string): boolean;
  /** The arguments of a call that shows the user a dialog; null if it is not found. */
  input(id: string): Record<string, unknown> | null;
}

const SUBCOMMAND = /\b(?:commit|merge|cherry-pick|revert|rebase|am|pull)\b/;

/** How many bytes before `from` are searched for a call, which comes shortly before its result. */
const LOOK_BACK_BYTES = 4 * 1024 * 1024;

/** Only the command counts: a commit report in the output of `cat` is not the session's commit. */
export function createCommitCalls(path: string, from: number): CommitCalls {
  const known = new Map<string, boolean>();
  let before: Buffer | null = null;
  const dialogs = new Map<string, Record<string, unknown>>();
  const note = (id: string, input: Record<string, unknown>) => {
    known.set(id, typeof input.command === 'string' && runsCommit(input.command));
    if (input.plan !== undefined || input.questions !== undefined) dialogs.set(id, input);
  };
  const lookBack = (id: string) => {
    before ??= readBytes(path, Math.max(0, from - LOOK_BACK_BYTES), Math.min(from, LOOK_BACK_BYTES));
    return findInput(before, id);
  };
  return {
    note,
    includes(id) {
      if (!known.has(id)) {
        const input = lookBack(id);
        if (input === null) known.set(id, false);
        else note(id, input);
      }
      return known.get(id) === true;
    },
    input: (id) => dialogs.get(id) ?? (known.has(id) ? null : lookBack(id)),
  };
}

function findInput(before: Buffer, id: string): Record<string, unknown> | null {
  const at = before.lastIndexOf(`"id":${JSON.stringify(id)}`);
  if (at < 0) return null;
  const end = before.indexOf(10, at);
  const line = before.toString('utf8', before.lastIndexOf(10, at) + 1, end < 0 ? before.length : end);
  const message = asRecord(asRecord(parseJson(line))?.message);
  const call = asList(message?.content).find((block) => isRecord(block) && block.id === id);
  return asRecord(asRecord(call)?.input);
}

function runsCommit(line: string): boolean {
  return line.split(/[|;&\n]/).some((command) => {
    const at = command.search(/\bgit\b/);
    return at >= 0 && SUBCOMMAND.test(command.slice(at + 'git'.length));
  });
}
