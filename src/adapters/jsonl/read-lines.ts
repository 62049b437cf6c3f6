import { leadingNuls } from '../system/regular-file.ts';
import { borrowBlock, returnBlock } from './block-pool.ts';
import { type OpenFile, openFile } from './open-file.ts';

const MIN_BLOCK_BYTES = 16 * 1024;
/** Most visitors that stop early stop within the first lines. */
const FIRST_BYTES = 64 * 1024;
/** No agent writes a longer line. A file with one is not a transcript, and must not fill the memory. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Replaces a line too long to hold in memory. Not JSON, so it counts as corrupt. */
const TOO_LONG = Buffer.from('(line too long)');

/**
 * Gets a line's bytes without the line feed; the buffer is only valid during the call. Returns whether to read on. For a last line
 * without a line feed (`complete` is false), returns whether the line counts.
 */
export type LineVisitor = (line: Buffer, number: number, offset: number, complete: boolean) => boolean;

/**
 * Reads a file's lines from a byte offset on, with at most a block and one line in memory.
 * @returns the offset after the last line that counts, and the number of lines that count, `linesBefore` included.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE
 */
export function readLines(
  path: string,
  from: number,
  linesBefore: number,
  visit: LineVisitor,
): { end: number; lines: number } {
  const file = openFile(path);
  const block = blockFor(file.size - from);
  try {
    return scan(file, block, skipOwedNewline(file, from), linesBefore, visit);
  } finally {
    returnBlock(block);
    file.close();
  }
}

/** A visitor that stops after the first line for which `isEnough` is true. */
export function upTo({ isEnough }: { isEnough?: () => boolean }, visit: LineVisitor): LineVisitor {
  if (isEnough === undefined) return visit;
  // For an incomplete line, the result says whether the line counts.
  return (line, number, offset, complete) =>
    visit(line, number, offset, complete) && !(complete && isEnough());
}

/** A last line counted without its line feed may have received it since. That line feed does not end another line. */
function skipOwedNewline(file: OpenFile, from: number): number {
  if (from === 0) return 0;
  const around = Buffer.alloc(3);
  const read = file.read(around, from - 1);
  if (read < 2 || around[0] === NEWLINE) return from;
  if (around[1] === NEWLINE) return from + 1;
  return read === 3 && around[1] === CARRIAGE_RETURN && around[2] === NEWLINE ? from + 2 : from;
}

function scan(file: OpenFile, firstBlock: Buffer, from: number, linesBefore: number, visit: LineVisitor) {
  let block = firstBlock;
  let held = 0;
  let offset = from;
  let lines = linesBefore;
  /** Bytes dropped from the current line: NUL bytes, or because it is too long. */
  let dropped = 0;
  let isTooLong = false;
  for (;;) {
    const isNul = held === block.length && leadingNuls(block) === held;
    if (isNul || (held === block.length && held >= LONGEST_LINE_BYTES)) {
      isTooLong ||= !isNul;
      dropped += held;
      offset += held;
      held = 0;
    } else if (held === block.length) {
      block = grow(block);
    }
    const room = held === 0 && offset === from ? FIRST_BYTES : block.length;
    const read = file.read(block.subarray(held, room), offset + held);
    const filled = held + read;
    let start = 0;
    for (let newline = indexOfNewline(block, held, filled); newline >= 0; ) {
      lines += 1;
      const line = isTooLong ? TOO_LONG : withoutNuls(block, start, newline);
      const goesOn = visit(line, lines, offset + start - dropped, true);
      dropped = 0;
      isTooLong = false;
      start = newline + 1;
      if (!goesOn) return { end: offset + start, lines };
      newline = indexOfNewline(block, start, filled);
    }
    if (read === 0) {
      const counts =
        filled > 0 && !isTooLong && visit(withoutNuls(block, 0, filled), lines + 1, offset - dropped, false);
      return counts ? { end: offset + filled, lines: lines + 1 } : { end: offset - dropped, lines };
    }
    block.copyWithin(0, start, filled);
    held = filled - start;
    offset += start;
  }
}

/** A power loss leaves a block of NUL bytes, directly before the next line. */
function withoutNuls(block: Buffer, start: number, end: number): Buffer {
  const line = block.subarray(start, end);
  const nuls = leadingNuls(line);
  return nuls === line.length ? line : line.subarray(nuls);
}

/** Small files get a small block. */
function blockFor(left: number): Buffer {
  return left < MIN_BLOCK_BYTES ? Buffer.allocUnsafe(MIN_BLOCK_BYTES) : borrowBlock();
}

function indexOfNewline(block: Buffer, from: number, to: number): number {
  const at = block.subarray(from, to).indexOf(NEWLINE);
  return at < 0 ? -1 : from + at;
}

function grow(block: Buffer): Buffer {
  const larger = Buffer.allocUnsafe(block.length * 2);
  block.copy(larger);
  return larger;
}
