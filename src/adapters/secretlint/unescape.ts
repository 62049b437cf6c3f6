import type { Finding } from '../../domain/text/redaction.ts';

/** A text as it reads without escapes, and where what is found in it stands in the text that was given. */
export interface Unescaped {
  text: string;
  place(finding: Finding): Finding;
}

/**
 * Takes the escapes of JSON within JSON, however deep, of addresses and of terminals out of a text. Before a token they look
 * like a letter of it: in `\nghp_…` an `n`, in a coloured one an `m`. Null where there are none.
 */
export function unescapeText(given: string): Unescaped | null {
  let text = '';
  let from = 0;
  const stretches: Stretch[] = [];
  for (const { index, 0: sign } of given.matchAll(ESCAPE)) {
    text += given.slice(from, index);
    stretches.push({ to: text.length, given: index });
    text += meaningOf(sign);
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
      end: placeOf(stretches, end),
    }),
  };
}

/** From here on, one place is as far from the other in both texts. */
interface Stretch {
  to: number;
  given: number;
}

/** Backslashes double with each level that JSON is wrapped in. */
const ESCAPE =
  /(?:\x1b|\\+(?:u001b|x1b|033|e))\[[\d;]{0,12}[A-Za-z]|\\+(?:[nrtbf"/]|u[0-9a-fA-F]{4})|%[0-9a-fA-F]{2}/g;

function meaningOf(sign: string): string {
  const code = /^(?:%|\\+u)([0-9a-fA-F]+)$/.exec(sign)?.[1];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return /["/]$/.exec(sign)?.[0] ?? ' ';
}

function placeOf(stretches: Stretch[], at: number): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.to ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const last = stretches[low - 1];
  return last === undefined ? at : last.given + at - last.to;
}
