import { estimateTokens } from './tokens.ts';

/** A part of a message that stays in one chunk. Joined, the parts are the message. */
export interface Stretch {
  text: string;
  tokens: number;
  /** Whether it belongs to a fenced code block. */
  fenced: boolean;
}

/**
 * Splits a message at blank lines. A fenced code block stays whole unless it exceeds its limit.
 * @param limits in estimated tokens.
 */
export function splitText(text: string, limits: { text: number; fenced: number }): Stretch[] {
  const stretches: Stretch[] = [];
  for (const block of blocks(text)) {
    const tokens = estimateTokens(block.text);
    if (tokens <= (block.fenced ? limits.fenced : limits.text)) stretches.push({ ...block, tokens });
    else {
      for (const piece of splitLong(block.text, limits.text))
        stretches.push({ ...piece, fenced: block.fenced });
    }
  }
  return stretches;
}

function blocks(text: string): { text: string; fenced: boolean }[] {
  const found: { text: string; fenced: boolean }[] = [];
  let start = 0;
  let fence: string | null = null;
  const close = (end: number, fenced: boolean) => {
    if (end > start) found.push({ text: text.slice(start, end), fenced });
    start = end;
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, next);
    const mark: string | undefined = fence === null ? OPENING.exec(line)?.[1] : CLOSING.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      close(at, false);
      fence = mark;
    } else if (fence !== null && mark?.startsWith(fence)) {
      close(next, true);
      fence = null;
    } else if (fence === null && line.trim() === '') {
      close(next, false);
    }
    at = next;
  }
  close(text.length, fence !== null);
  return found;
}

/** As in CommonMark: no backtick after the opening fence, nothing after the closing one. */
const OPENING = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING = /^ {0,3}(`{3,}|~{3,})\s*$/;

/** Splits at line ends if the lines fit, else anywhere. */
function splitLong(text: string, max: number): { text: string; tokens: number }[] {
  const pieces: { text: string; tokens: number }[] = [];
  const hardLimit = Math.max(1, max);
  let open = '';
  let openTokens = 0;
  const flush = () => {
    if (open !== '') pieces.push({ text: open, tokens: openTokens });
    open = '';
    openTokens = 0;
  };
  for (const line of text.split(/(?<=\n)/)) {
    for (const part of hardSplit(line, hardLimit)) {
      const tokens = estimateTokens(part);
      if (openTokens + tokens > max) flush();
      open += part;
      openTokens += tokens;
    }
  }
  flush();
  return pieces;
}

function hardSplit(line: string, max: number): string[] {
  if (estimateTokens(line) <= max) return [line];
  const parts: string[] = [];
  let rest = line;
  while (rest !== '') {
    const width = Math.max(2, Math.floor(max * (estimateTokens(rest.slice(0, max * 4)) > max ? 1 : 3)));
    let cut = Math.min(rest.length, width);
    const code = rest.charCodeAt(cut - 1);
    if (cut < rest.length && code >= 0xd800 && code <= 0xdbff) cut -= 1;
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  return parts;
}
