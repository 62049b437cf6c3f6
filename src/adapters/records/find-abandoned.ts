import { recordsOfLine } from '../jsonl/objects-of-line.ts';
import { readLines } from '../jsonl/read-lines.ts';
import type { LinesFormat } from './lines-format.ts';
import type { Row } from './row-format.ts';

export interface Branches {
  /** Takes the records in order. Returns whether a record leaves the branch before it. */
  leaves(row: Row): boolean;
  /** The ids of all records that were no longer in the conversation when a branch was last left. */
  abandoned(): string[];
}

/** For a transcript that is a tree of records: the last record's branch is the conversation. */
export function createBranches({ linkOf }: LinesFormat, path: string, from: number): Branches {
  if (linkOf === undefined) return { leaves: () => false, abandoned: () => [] };
  const parents = new Map<string, string>([[ROOT, ROOT]]);
  let last: string | null = null;
  let left = { id: ROOT, known: 0 };
  const leaves = (row: Row) => {
    const link = linkOf(row);
    if (link === null) return false;
    const parentId = link.parentId ?? last ?? ROOT;
    const isOther = last !== null && parentId !== last && parents.has(parentId);
    parents.set(link.id, parentId);
    last = link.id;
    if (isOther) left = { id: link.id, known: parents.size };
    return isOther;
  };
  if (from > 0)
    readLines(path, 0, 0, (bytes, _number, offset) => {
      if (offset >= from) return false;
      for (const row of recordsOfLine(bytes)) leaves(row);
      return true;
    });
  return { leaves, abandoned: () => outsideOf(parents, left) };
}

/** The parent of a record that begins a conversation. */
export const ROOT = '';

function outsideOf(parents: Map<string, string>, { id, known }: { id: string; known: number }): string[] {
  const branch = new Set([ROOT]);
  for (let at: string | undefined = id; at !== undefined && !branch.has(at); at = parents.get(at))
    branch.add(at);
  return [...parents.keys()].slice(0, known).filter((one) => !branch.has(one));
}
