import type { Redactor } from '../../../ports/redactor.ts';
import { PART_BYTES } from '../../../ports/session-archive.ts';
import { redactJsonLines } from '../../privacy/redact-json-lines.ts';

/** Redacts a transcript that arrives in arbitrary pieces, line by line. `onRules` receives the rules that matched. */
export async function* redactPieces(
  pieces: AsyncIterable<Uint8Array>,
  redactor: Redactor,
  onRules: (rules: string[]) => void,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array[] = [];
  const redact = async (bytes: Uint8Array) => {
    const redacted = await redactJsonLines(bytes, redactor);
    onRules(redacted.rules);
    return redacted.bytes;
  };
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const lines = Buffer.concat([...rest, piece.subarray(0, end)]);
      rest = [];
      yield await redact(lines);
    }
    if (end < piece.length) rest.push(piece.subarray(end));
  }
  if (rest.length > 0) yield await redact(Buffer.concat(rest));
}

export const NEWLINE = 10;

/** Cuts the same bytes into parts of the archive's part size. */
export async function* cutParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (let piece of pieces) {
    while (size + piece.length >= PART_BYTES) {
      const room = PART_BYTES - size;
      yield Buffer.concat([...held, piece.subarray(0, room)]);
      piece = piece.subarray(room);
      held = [];
      size = 0;
    }
    if (piece.length > 0) held.push(piece);
    size += piece.length;
  }
  if (size > 0) yield Buffer.concat(held);
}
