import type { TranscriptHead } from '../../../ports/transcript-source.ts';
import { readBytes } from '../../jsonl/open-file.ts';
import { asText, parseJson } from '../../jsonl/read-value.ts';
import { findCompacted } from './find-compacted.ts';
import { isProgress } from './message-ids.ts';

/**
 * The id of the first message, which a fork's copied lines keep or name, and the folder in which the agent was started. Both are
 * at the edges of a line that may contain megabytes of a pasted image. A fork may join the user's messages before the first answer
 * (see joined.ts): it keeps the id of the first, or of the last if the first is the program's. A fork of a compacted session begins
 * with the compaction: the head of its parent counts, or of `ancestors` before that.
 */
export function readHead(path: string, ancestors = MAX_ANCESTORS): TranscriptHead {
  const text = readFirstMessage(path);
  const directory = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  const { line, uuid } = firstMessageIn(text) ?? { line: '', uuid: null };
  const isCompacted = ancestors > 0 && uuid !== null && line.includes('"compact_boundary"');
  const parent = isCompacted ? findCompacted(path, { line, uuid }) : null;
  return {
    fingerprint:
      parent !== null
        ? readHead(parent, ancestors - 1).fingerprint
        : (/"forkedFrom":\{[^{}]*"messageUuid":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? uuid),
    // An invalid escape makes the line unreadable, which reading the transcript reports.
    workingDirectory:
      directory === undefined ? null : asText(parseJson(Buffer.from(directory, 'latin1').toString('utf8'))),
  };
}

const MAX_ANCESTORS = 5;
const FIRST_BYTES = 16 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/** The first 16 KiB, or more if the first message's id comes later. */
function readFirstMessage(path: string): string {
  for (let bytes = FIRST_BYTES; ; bytes = Math.min(bytes * 16, MAX_BYTES)) {
    const head = readBytes(path, 0, bytes);
    const text = head.toString('latin1');
    if (head.length < bytes || bytes === MAX_BYTES || firstMessageIn(text)?.ends === true) return text;
  }
}

interface FirstMessage {
  line: string;
  uuid: string;
  /** Whether no later line can be joined to it. */
  ends: boolean;
}

/** The first line with an id that a fork keeps: forks leave out the records of progress, and join what follows a message of the program. */
function firstMessageIn(text: string): FirstMessage | null {
  const ids = /"uuid":"([0-9a-f-]{36})"/g;
  let first: FirstMessage | null = null;
  for (let found = ids.exec(text); found !== null; found = ids.exec(text)) {
    const end = text.indexOf('\n', found.index);
    const line = text.slice(text.lastIndexOf('\n', found.index) + 1, end < 0 ? text.length : end);
    ids.lastIndex = end < 0 ? text.length : end;
    if (isProgress(line)) continue;
    if (first !== null && !line.includes('"type":"user"')) return { ...first, ends: true };
    const ends: boolean = first === null && !line.includes('"isMeta":true');
    first = { line, uuid: found[1] ?? '', ends };
    if (ends) return first;
  }
  return first;
}
