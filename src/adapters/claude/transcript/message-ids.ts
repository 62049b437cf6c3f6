import { readLines } from '../../jsonl/read-lines.ts';

export interface MessageId {
  uuid: string;
  time: string;
  /** Whether the line names the session it was copied from. */
  isMarked: boolean;
  /** Whether it is the first one and the transcript began after it was written, so that it is a copy. */
  isLate: boolean;
  end: number;
}

/** The ids of a transcript's messages. Searches only the edges of lines: a pasted image may take megabytes in between. */
export function messageIds(path: string): MessageId[] {
  const ids: MessageId[] = [];
  let began = '';
  readLines(path, 0, 0, (line, _number, offset) => {
    const edges =
      line.length < 4096
        ? line.toString('latin1')
        : line.toString('latin1', 0, 1024) + line.toString('latin1', line.length - 1024);
    const uuid = /"uuid":"([0-9a-f-]{36})"/.exec(edges)?.[1];
    const time = /"timestamp":"([^"]+)"/.exec(edges)?.[1] ?? '';
    if (uuid !== undefined && !isProgress(edges)) {
      const isLate = ids.length === 0 && began > time;
      ids.push({ uuid, time, isMarked: ORIGIN.test(edges), isLate, end: offset + line.length });
    } else if (edges.includes('"queue-operation"')) began = time;
    return true;
  });
  return ids;
}

/** Whether the line tells how far a hook or a tool has got. It is not part of the conversation, and forks leave it out. */
export function isProgress(line: string): boolean {
  return line.includes('"type":"progress"');
}

/** The session that a copied line names as its origin. */
export const ORIGIN = /"(?:requestSessionId|forkedFrom":\{"sessionId)":"([^"]+)"/;
