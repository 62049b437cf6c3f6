import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { borrowBlock, returnBlock } from './block-pool.ts';

const LEAST_BLOCK_BYTES = 16 * 1024;
/** Most visitors that stop early stop within the first lines. */
const FIRST_BYTES = 64 * 1024;
/** No agent writes such a line; a file that has one is something else, and is not to fill the memory. */
const LONGEST_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
/** Stands for a line that was too long to hold: it parses as nothing. */
const TOO_LONG = Buffer.from('(line too long)');

/**
 * Takes a line's bytes without the line feed; the buffer is only valid during the call. Returns whether to read on. Of a last
 * line without a line feed (`complete` false) it says whether the line counts.
 */
export type LineVisitor = (line: Buffer, number: number, offset: number, complete: boolean) => boolean;

/**
 * Reads a file's lines from a byte offset on, holding no more than a block and one line in memory.
 * @returns the offset behind the last line that counts, and how many lines counted.
 */
export function readLines(
  path: string,
  from: number,
  linesBefore: number,
  visit: LineVisitor,
): { end: number; lines: number } {
  const file = open(path);
  const block = blockFor(fstatSync(file).size - from);
  try {
    return scan({ file, path, block }, skipOwedNewline(file, path, from), linesBefore, visit);
  } finally {
    returnBlock(block);
    closeSync(file);
  }
}

/** A last line that counted without its line feed may have got it since: then it is none of a line of its own. */
function skipOwedNewline(file: number, path: string, from: number): number {
  if (from === 0) return 0;
  const around = Buffer.alloc(3);
  const read = readBlock(file, path, around, 0, from - 1);
  if (read < 2 || around[0] === NEWLINE) return from;
  if (around[1] === NEWLINE) return from + 1;
  return read === 3 && around[1] === CARRIAGE_RETURN && around[2] === NEWLINE ? from + 2 : from;
}

interface Opened {
  file: number;
  path: string;
  block: Buffer;
}

function scan(opened: Opened, from: number, linesBefore: number, visit: LineVisitor) {
  const { file, path } = opened;
  let { block } = opened;
  let held = 0;
  let offset = from;
  let lines = linesBefore;
  /** Bytes of the current line that were dropped because it is too long to hold. */
  let dropped = 0;
  for (;;) {
    if (held === block.length && held >= LONGEST_LINE_BYTES) {
      dropped += held;
      offset += held;
      held = 0;
    } else if (held === block.length) {
      block = grow(block);
    }
    const isFirst = held === 0 && offset === from;
    const room = isFirst ? block.subarray(0, FIRST_BYTES) : block;
    const read = readBlock(file, path, room, held, offset + held);
    const filled = held + read;
    let start = 0;
    for (let newline = indexOfNewline(block, held, filled); newline >= 0; ) {
      lines += 1;
      const line = dropped === 0 ? block.subarray(start, newline) : TOO_LONG;
      const goesOn = visit(line, lines, offset + start - dropped, true);
      dropped = 0;
      start = newline + 1;
      if (!goesOn) return { end: offset + start, lines };
      newline = indexOfNewline(block, start, filled);
    }
    if (read === 0) {
      const isWhole = dropped === 0;
      const counts = filled > 0 && isWhole && visit(block.subarray(0, filled), lines + 1, offset, false);
      return counts ? { end: offset + filled, lines: lines + 1 } : { end: offset - dropped, lines };
    }
    block.copyWithin(0, start, filled);
    held = filled - start;
    offset += start;
  }
}

/** One that takes what is left and tells that it was all. */
function blockFor(left: number): Buffer {
  return left < LEAST_BLOCK_BYTES ? Buffer.allocUnsafe(LEAST_BLOCK_BYTES) : borrowBlock();
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

function open(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readBlock(file: number, path: string, block: Buffer, at: number, position: number): number {
  try {
    return readSync(file, block, at, block.length - at, position);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, cause: unknown): SmartForkError {
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: ${errorText(cause)}`, {
    hint: 'Check that the file exists and that you may read it.',
    cause,
  });
}
