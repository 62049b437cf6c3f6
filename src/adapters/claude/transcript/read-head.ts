import type { TranscriptHead } from '../../../ports/transcript-source.ts';
import { readBytes } from '../../jsonl/open-file.ts';
import { asText, parseJson } from '../../jsonl/read-value.ts';
import { isProgress } from './message-ids.ts';

/**
 * The id of the first message, which a fork's copied lines keep or name, and the folder in which the agent was started. Both are
 * at the edges of a line that may contain megabytes of a pasted image.
 */
export function readHead(path: string): TranscriptHead {
  const text = readFirstMessage(path);
  const directory = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  const { line, uuid } = firstMessageIn(text) ?? { line: '', uuid: null };
  return {
    fingerprint: /"forkedFrom":\{[^{}]*"messageUuid":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? uuid,
    // An invalid escape makes the line unreadable, which reading the transcript reports.
    workingDirectory:
      directory === undefined ? null : asText(parseJson(Buffer.from(directory, 'latin1').toString('utf8'))),
  };
}

const FIRST_BYTES = 16 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/** The first 16 KiB, or more if the first message's id comes later. */
function readFirstMessage(path: string): string {
  for (let bytes = FIRST_BYTES; ; bytes = Math.min(bytes * 16, MAX_BYTES)) {
    const head = readBytes(path, 0, bytes);
    const text = head.toString('latin1');
    if (head.length < bytes || bytes === MAX_BYTES || firstMessageIn(text) !== null) return text;
  }
}

/** The first line with an id that a fork keeps: forks leave out the records of progress. */
function firstMessageIn(text: string): { line: string; uuid: string } | null {
  const ids = /"uuid":"([0-9a-f-]{36})"/g;
  for (let found = ids.exec(text); found !== null; found = ids.exec(text)) {
    const end = text.indexOf('\n', found.index);
    const line = text.slice(text.lastIndexOf('\n', found.index) + 1, end < 0 ? text.length : end);
    if (!isProgress(line)) return { line, uuid: found[1] ?? '' };
    ids.lastIndex = end < 0 ? text.length : end;
  }
  return null;
}
