import { AGENTS } from '../agent/agents.ts';
import { findNames, nameMention, withoutNamed } from './read-names.ts';
import { excluded } from './read-terms.ts';
import type { Mention, NameKind } from './understanding.ts';

/** Words after a minus sign (`-kubernetes`, `-repo:web-shop`). In what looks like a command line, those that may be a flag are text. */
export async function readExclusions(
  masked: string,
  names: (kind: NameKind) => Promise<string[]>,
): Promise<Mention[]> {
  const program = PROGRAM.exec(masked.trimStart())?.[1]?.toLowerCase() ?? null;
  const isCommand = program !== null || FLAG.test(masked);
  const mentions = await readKeyed(masked, names);
  for (const { 0: whole, 1: word = '', index } of masked.matchAll(EXCLUDED)) {
    if (VENDOR.test(word) || BEFORE_FLAG.test(masked.slice(0, index))) continue;
    const isText =
      isCommand && !isAgent(word) && mayBeFlag(program, word) && !isIn(await names('repo'), word);
    const place = { start: index, end: index + whole.length };
    mentions.push(
      isText
        ? { ...place, keep: whole, understood: [asText(whole)] }
        : { ...place, understood: [excluded(word)] },
    );
  }
  return mentions;
}

const MARKED = /(?<=^|[\s\0])-(?=(?:agent|lang|repo):)/g;

/** The repositories, agents and languages whose sessions are not wanted: "-repo:web-shop". */
async function readKeyed(masked: string, names: (kind: NameKind) => Promise<string[]>): Promise<Mention[]> {
  const candidates = findNames(masked.replace(MARKED, ' '));
  const mentions: Mention[] = [];
  for (const { index } of masked.matchAll(MARKED)) {
    const candidate = candidates.find(({ start }) => start === index + 1);
    if (candidate === undefined) continue;
    const mention = nameMention(candidate, await names(candidate.kind));
    if (mention === null) continue;
    mentions.push({ ...withoutNamed(mention), start: index });
  }
  return mentions;
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
  /(?:^|\s(?=\S+\s+-))(cargo|clang|curl|docker|ffmpeg|find|gcc|git|go|grep|java|javac|kill|ls|node|npm|openssl|perl|ps|python3?|rg|ruby|sed|ssh|tar|terraform|xargs)\s/i;

/** Letters that these programs take together after one minus sign. Programs that take whole words there are missing. */
const LETTERS: Record<string, string> = {
  cargo: '',
  curl: 'fgikovGILOSs',
  docker: 'deitpv',
  git: 'ampqsuv',
  grep: 'chilnoqrsvwEFHPR',
  ls: 'adhiklnrstuABFGRSX',
  node: '',
  npm: '',
  perl: 'aceilnpswEF',
  ps: 'aefjlouwxAHLTZ',
  python: '',
  python3: '',
  rg: 'cilnouvwFNPS',
  ruby: '',
  sed: 'einrszE',
  ssh: 'fgnqtvxyACDLNRTX',
  tar: 'acfhjkmprtuvxzCJOPZ',
  xargs: 'nprtIL',
};

/** Short words, letters together, and any word after a program that takes words, or after an unknown one. */
function mayBeFlag(program: string | null, word: string): boolean {
  const letters = program === null ? undefined : LETTERS[program];
  return letters === undefined || word.length < 4 || [...word].every((letter) => letters.includes(letter));
}

function isIn(names: string[], word: string): boolean {
  return names.some((name) => name.toLowerCase() === word.toLowerCase());
}

/** Agents are no flags. */
function isAgent(word: string): boolean {
  return AGENTS.some((agent) => agent === word.toLowerCase());
}

function asText(flag: string) {
  return { kind: 'text' as const, value: flag, text: `"${flag}" as text` };
}
