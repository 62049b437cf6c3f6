import stringWidth from 'fast-string-width';

/** The width of plain text in terminal columns. Colours are added afterwards. */
export function displayWidth(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/** Truncates to `width` columns and marks the cut with `ellipsis`. */
export function truncate(text: string, width: number, ellipsis: string): string {
  if (displayWidth(text) <= width) return text;
  const mark = ellipsis.length < width ? ellipsis : '';
  return `${headOf(text, width - mark.length).trimEnd()}${mark}`;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Pads text that contains colours. */
export function padPainted(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text.replace(/\x1b\[[\d;]*m/g, ''))));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/**
 * Wraps text into lines of at most `width` columns: between words, or inside a word that is wider than a line. Keeps the indentation of
 * each line, also on continuation lines. Tabs become four spaces.
 */
export function wrap(text: string, width: number): string[] {
  return text
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line) => wrapLine(line.trimEnd(), width));
}

/** Characters that are one column wide and never combine, so no grapheme segmentation is needed. */
const NARROW =
  /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0386-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b\u203d-\u2048\u2190-\u21ff\u2500-\u25a0\u2605\u2714\u2716]*$/;

/** In UTF-16 units. */
const PIECE = 1000;

function headOf(text: string, width: number): string {
  if (NARROW.test(text)) return text.slice(0, width);
  let used = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    used += displayWidth(segment);
    if (used > width) return text.slice(0, index);
  }
  return text;
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const body = line.trimStart();
  const indent = ' '.repeat(Math.min(line.length - body.length, width >> 1));
  const room = width - indent.length;
  const lines = NARROW.test(body) ? wrapNarrow(body, room) : wrapWide(body, room);
  return lines.map((part) => indent + part);
}

/** Breaks between words. A run without spaces, as in Japanese, fills the line and continues on the next. */
function wrapWide(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<= )/)) {
    const fits = displayWidth(`${line}${word}`.trimEnd()) <= width;
    if (fits) {
      line += word;
      continue;
    }
    const parts = displayWidth(word.trimEnd()) > width ? breakHard(line + word, width) : [line, word];
    lines.push(...parts.slice(0, -1).map((part) => part.trimEnd()));
    line = parts.at(-1) ?? '';
  }
  return [...lines, line.trimEnd()].filter((part) => part !== '');
}

/** Works in a single pass: measuring the rest for each line would take quadratic time. */
function breakHard(line: string, width: number): string[] {
  const lines: string[] = [];
  let part = '';
  let used = 0;
  for (const segment of graphemesOf(line)) {
    const wide = displayWidth(segment);
    if (part !== '' && used + wide > width && segment.trim() !== '') {
      lines.push(part);
      part = '';
      used = 0;
    }
    if (part === '' && lines.length > 0 && segment.trim() === '') continue;
    part += segment;
    used += wide;
  }
  return [...lines, part];
}

/** Works in pieces, because Node 20 takes ten times as long to segment 60,000 characters at once. */
function* graphemesOf(text: string): Generator<string> {
  const segmenter = new Intl.Segmenter();
  for (let from = 0; from < text.length; ) {
    const splitsPair = /[\ud800-\udbff]/.test(text.charAt(from + PIECE - 1));
    const end = from + PIECE + (splitsPair ? 1 : 0);
    const found = Array.from(segmenter.segment(text.slice(from, end)), ({ segment }) => segment);
    // The last one may continue in the next piece.
    const whole = end < text.length && found.length > 1 ? found.slice(0, -1) : found;
    yield* whole;
    from += whole.join('').length;
  }
}

/** A fast path for ASCII text. */
function wrapNarrow(text: string, width: number): string[] {
  const lines: string[] = [];
  let from = 0;
  while (text.length - from > width) {
    // Searching in the whole text would look through all lines before.
    const space = text.slice(from, from + width + 1).lastIndexOf(' ');
    const end = from + (space > 0 ? space : width);
    lines.push(text.slice(from, end).trimEnd());
    from = end;
    while (text[from] === ' ') from += 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}
