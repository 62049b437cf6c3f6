import type { TranscriptHead } from '../../../ports/transcript-source.ts';
import { readBytes } from '../../jsonl/open-file.ts';
import { asText, parseJson } from '../../jsonl/read-value.ts';

/**
 * The id of the first message, which a fork's copied lines keep or name, and the folder in which the agent was started. Both are
 * at the edges of a line that may contain megabytes of a pasted image.
 */
export function readHead(path: string): TranscriptHead {
  const text = readFirstMessage(path).toString('latin1');
  const directory = /"cwd":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  const first = /"uuid":"([0-9a-f-]{36})"/.exec(text);
  const line = first === null ? '' : lineAround(text, first.index);
  return {
    fingerprint: /"forkedFrom":\{[^{}]*"messageUuid":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? first?.[1] ?? null,
    // An invalid escape makes the line unreadable, which reading the transcript reports.
    workingDirectory:
      directory === undefined ? null : asText(parseJson(Buffer.from(directory, 'latin1').toString('utf8'))),
  };
}

const FIRST_BYTES = 16 * 1024;
const MAX_BYTES = 4 * 1024 * 1024;

/** The first 16 KiB, or more if the first message's id comes later. */
function readFirstMessage(path: string): Buffer {
  for (let bytes = FIRST_BYTES; ; bytes = Math.min(bytes * 16, MAX_BYTES)) {
    const head = readBytes(path, 0, bytes);
    if (head.length < bytes || bytes === MAX_BYTES || head.includes('"uuid":"')) return head;
  }
}

function lineAround(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end);
}
