import { isRecord } from '../../domain/is-record.ts';
import { objectsOfLine } from '../jsonl/objects-of-line.ts';
import { readLines } from '../jsonl/read-lines.ts';
import type { LinesFormat } from './lines-format.ts';
import type { Row } from './row-format.ts';

/** Takes the records in order. Returns the ids of all that are no longer in the conversation, if a record leaves the branch before it. */
export type FindAbandoned = (row: Row) => string[] | null;

/** For a transcript that is a tree of records: the last record's branch is the conversation. */
export function createFindAbandoned(format: LinesFormat, path: string, from: number): FindAbandoned {
  const { linkOf } = format;
  if (linkOf === undefined) return () => null;
  const parents = new Map<string, string>([[ROOT, ROOT]]);
  let last: string | null = null;
  const take: FindAbandoned = (row) => {
    const link = linkOf(row);
    if (link === null) return null;
    const parentId = link.parentId ?? last ?? ROOT;
    const leaves = last !== null && parentId !== last && parents.has(parentId);
    parents.set(link.id, parentId);
    last = link.id;
    return leaves ? outsideOf(parents, link.id) : null;
  };
  if (from > 0)
    readLines(path, 0, 0, (bytes, _number, offset) => {
      if (offset >= from) return false;
      for (const row of objectsOfLine(bytes.toString('utf8')).filter(isRecord)) take(row);
      return true;
    });
  return take;
}

/** The parent of a record that begins a conversation. */
export const ROOT = '';

function outsideOf(parents: Map<string, string>, id: string): string[] {
  const branch = new Set([ROOT]);
  for (let at: string | undefined = id; at !== undefined && !branch.has(at); at = parents.get(at))
    branch.add(at);
  return [...parents.keys()].filter((one) => !branch.has(one));
}
