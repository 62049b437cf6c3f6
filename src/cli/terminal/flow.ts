import { displayWidth, truncate } from './width.ts';

/** A piece of a line: measured as `text`, printed as `paint(text)`. */
export interface Piece {
  text: string;
  paint?: (text: string) => string;
}

/** Lays out pieces on lines. A piece is never broken, only truncated if wider than a line. */
export function flow(pieces: Piece[], separator: Piece, width: number, ellipsis: string): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const piece of pieces) {
    const text = truncate(piece.text, width, ellipsis);
    const size = displayWidth(text);
    const gap = displayWidth(separator.text);
    if (used > 0 && used + gap + size > width) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line += (used > 0 ? painted(separator) : '') + painted({ ...piece, text });
    used += (used > 0 ? gap : 0) + size;
  }
  return used > 0 ? [...lines, line] : lines;
}

export function painted({ text, paint }: Piece): string {
  return paint ? paint(text) : text;
}
