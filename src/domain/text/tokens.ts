/**
 * Estimates the number of WordPiece tokens without the model, because chunks must be the same on machines with and without it.
 * Per character: ASCII .29, other alphabets .5, ideographs 1.
 */
export function estimateTokens(text: string): number {
  if (ASCII.test(text)) return Math.ceil(text.length * 0.29);
  let wide = 0;
  let other = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x2e80) wide += 1;
    else if (code >= 128) other += 1;
  }
  return Math.ceil((text.length - wide - other) * 0.29 + other * 0.5 + wide);
}

const ASCII = /^[\0-\x7f]*$/;

/** The longest prefix with at most `limit` estimated tokens, cut at white space if possible. */
export function takeTokens(text: string, limit: number): string {
  if (estimateTokens(text) <= limit) return text;
  let low = 0;
  let high = Math.min(text.length, limit * 4);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  const space = text.lastIndexOf(' ', low);
  return trimSurrogate(text.slice(0, space > low * 0.8 ? space : low));
}

/** Drops an unpaired high surrogate at the end. */
function trimSurrogate(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

/** "45k". */
export function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}
