import { AGENTS } from '../agent/agents.ts';
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

/** At least three letters, because flags are shorter; words of letters without case, as in Chinese, may be shorter. */
const EXCLUDED =
  /(?<=^|[\s\0])-(?!(?:agent|lang|repo):)(\p{L}[\p{L}\p{M}\p{N}_-]+[\p{L}\p{M}\p{N}_]|\p{Lo}[\p{Lo}\p{M}]*)(?=$|[\s,.;:!?\0])(?!\s+(?:arguments?|flags?|options?|parameters?|prefix(?:es)?|switch(?:es)?)\b)/gu;
/** Before a word with a minus sign, these make it a flag or a property: "pass -race", "the -moz-appearance". */
const BEFORE_FLAG =
  /(?:^|[\s\0])(?:a|add(?:ing)?|an|pass(?:ing)?|set(?:ting)?|the|to|us(?:e|ing)|via|with)\s+$/i;
/** Properties of CSS. */
const VENDOR = /^(?:moz|ms|o|webkit)-/i;
/** Other flags make a query a command line. Letters without case, as in Chinese, are no flags. */
const FLAG = /(?:^|\s)(?:--\p{L}|-(?!\p{Lo})\p{L}{1,2}(?=$|\s))/u;
/** At the beginning, or right before a flag: "the npm release broke" is no command line. */
const PROGRAM =
  /(?:^|\s(?=\S+\s+-))(?:cargo|clang|curl|docker|ffmpeg|find|gcc|git|go|grep|java|javac|kill|ls|node|npm|openssl|perl|ps|python3?|rg|ruby|sed|ssh|tar|terraform|xargs)\s/i;

/** Words after a minus sign (`-kubernetes`), unless the query looks like a command line. */
export function readExclusions(masked: string): Mention[] {
  if (!/(?:^|[\s\0])-/.test(masked)) return [];
  const isCommand = FLAG.test(masked) || PROGRAM.test(masked.trimStart());
  return Array.from(masked.matchAll(EXCLUDED))
    .filter(({ 1: word = '' }) => !isCommand || isAgent(word))
    .filter(({ 1: word = '', index }) => !VENDOR.test(word) && !BEFORE_FLAG.test(masked.slice(0, index)))
    .map(({ 0: whole, 1: word = '', index }) => ({
      start: index,
      end: index + whole.length,
      understood: [excluded(word)],
    }));
}

/** Agents are no flags. */
function isAgent(word: string): boolean {
  return AGENTS.some((agent) => agent === word.toLowerCase());
}

export function excluded(value: string) {
  return { kind: 'not' as const, value, text: `not ${/\s/.test(value) ? `"${value}"` : value}` };
}
