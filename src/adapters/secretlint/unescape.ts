import type { Finding } from '../../domain/text/redaction.ts';

/** A text without its escapes, and the mapping of offsets back to the original. */
interface Unescaped {
  text: string;
  place(finding: Finding): Finding;
}

/**
 * Decodes escapes of nested JSON, URLs and terminals. Before a token, their last letter looks like a part of it: the `n` in
 * `\nghp_…`, the `m` of a colour. Null if the text has no escapes.
 */
export function unescapeText(given: string): Unescaped | null {
  return decode(given, ESCAPE, meaningOf);
}

/** Leaves out what nobody sees, colours and characters without width, and reads the quotes of HTML. Null if there are none. */
export function visibleText(given: string): Unescaped | null {
  return HIDDEN.test(given) ? decode(given, HIDDEN_SIGN, shownAs) : null;
}

function decode(given: string, signs: RegExp, meaning: (sign: string) => string): Unescaped | null {
  let text = '';
  let from = 0;
  const stretches: Stretch[] = [];
  for (const { index, 0: sign } of given.matchAll(signs)) {
    text += given.slice(from, index);
    stretches.push({ to: text.length, given: index });
    text += meaning(sign);
    from = index + sign.length;
    stretches.push({ to: text.length, given: from });
  }
  if (from === 0) return null;
  text += given.slice(from);
  return {
    text,
    place: ({ rule, start, end }) => ({
      rule,
      start: placeOf(stretches, start),
      end: placeOf(stretches, end, true),
    }),
  };
}

/** From these offsets up to the next stretch, both texts are the same. */
interface Stretch {
  to: number;
  given: number;
}

/** Each level of JSON nesting doubles the backslashes. A run is only tried from its first one: trying each takes quadratic time. */
const COLOUR = /(?:\x1b|(?<!\\)\\+(?:u001b|x1b|033|e))\[[\d;]{0,12}[A-Za-z]/.source;
const ESCAPE = new RegExp(`${COLOUR}|(?<!\\\\)\\\\+(?:[nrtbf"/]|u[0-9a-fA-F]{4})|%[0-9a-fA-F]{2}`, 'g');

const UNSEEN = '[\\u00ad\\u200b-\\u200d\\u2060\\ufeff]';
const ENTITY = '&(?:quot|apos|amp|#0?3[49]|#[xX]2[27]);';
const HIDDEN = new RegExp(`\\x1b\\[|\\\\(?:u001b|x1b|033|e)\\[|${UNSEEN}|${ENTITY}`);
const HIDDEN_SIGN = new RegExp(`${COLOUR}|${UNSEEN}|${ENTITY}`, 'g');

function shownAs(sign: string): string {
  if (sign[0] !== '&') return '';
  return sign === '&amp;' ? '&' : /apos|39|27/.test(sign) ? "'" : '"';
}

function meaningOf(sign: string): string {
  const code = /^(?:%|\\+u)([0-9a-fA-F]+)$/.exec(sign)?.[1];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return /["/]$/.exec(sign)?.[0] ?? ' ';
}

/** @param isEnd what is left out at that place comes after it. */
function placeOf(stretches: Stretch[], at: number, isEnd = false): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  while (isEnd && stretches[low - 1]?.to === at && stretches[low - 2]?.to === at) low -= 1;
  const last = stretches[low - 1];
  return last === undefined ? at : last.given + at - last.to;
}
