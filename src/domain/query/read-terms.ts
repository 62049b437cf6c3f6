import type { Mention } from './understanding.ts';

const QUOTED = /(?<=^|[\s(])(-?)(?:"([^"]+)"|“([^“”]+)”)(?=$|[\s),.;:!?])/g;

/** Quoted texts: results must contain them or, after a minus sign, must not. */
export function readQuotes(masked: string): Mention[] {
  return Array.from(masked.matchAll(QUOTED)).flatMap((match): Mention[] => {
    const value = (match[2] ?? match[3] ?? '').trim();
    if (!/[\p{L}\p{N}]/u.test(value)) return [];
    const place = { start: match.index, end: match.index + match[0].length };
    if (match[1] === '-') return [{ ...place, understood: [excluded(value)] }];
    return [{ ...place, keep: value, understood: [{ kind: 'phrase', value, text: `"${value}"` }] }];
  });
}

/** Before a word that may be excluded. */
export const MINUS = /(?:^|[\s\0])-/;

export function excluded(value: string) {
  return { kind: 'not' as const, value, text: `not ${/\s/.test(value) ? `"${value}"` : value}` };
}
