import { stemmer } from 'stemmer';
import { commitStart } from '../session/commit-hash.ts';

/** Two stop words form no bigram, and stop words do not count towards the confidence. */
const STOP_WORDS = new Set(
  (
    'a about after all also am an and any are as at be because been before being but by can could did do does doing done ' +
    'for from get got had has have having he her here him his how i if in into is it its just let like make me more most my ' +
    'need no nor not now of off on once only or our out over own please same she should so some such than that the their them ' +
    'then there these they this those through to too under until up us use used using very want was we were what when where ' +
    'which while who why will with would you your'
  ).split(' '),
);

/** In UTF-16 units. Longer runs are hashes and encoded data. */
const LONGEST_WORD = 64;
const LONGEST_SPLIT_WORD = 40;
/** The vocabulary of a large project, about 30 MB. A worker runs for weeks and must not cache every hash that it sees. */
const MAX_REMEMBERED = 100_000;
const SEGMENT_WINDOW = 512;
const WORDLESS_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A word of a query with its stem (`~stem`), as in the token stream. */
export interface QueryWord {
  word: string;
  stem: string;
  stop: boolean;
}

export interface LexicalTokenizer {
  /**
   * Space-separated tokens of a text for a full-text index (docs/internals/ranking.md lists them). No search asks for their order: those
   * that occur once come first, and each of the others follows its like, because an index then needs fewer bytes for positions.
   */
  stream(text: string): string;
  /** The unique tokens of a query. */
  tokens(text: string): string[];
  /** The unique words of a query. */
  words(text: string): QueryWord[];
  /**
   * Where these stems occur in a text, as words or as parts of words: [start, end) in UTF-16 units. A word whose parts have
   * several of the stems occurs once for each.
   */
  locate(text: string, stems: Set<string>): { start: number; end: number; stem: string }[];
}

interface Expansion {
  /** The word, its parts, and the stem of each, space-separated. */
  text: string;
  stem: string;
  /** The stems of the word and of its parts; absent for a word without parts. */
  stems?: string[];
  stop: boolean;
}

/** Caches words: create one per run. */
export function createLexicalTokenizer(): LexicalTokenizer {
  const seen = new Map<string, Expansion>();
  const expand = (word: string): Expansion => {
    let expansion = seen.get(word);
    if (expansion === undefined) {
      expansion = expandWord(word);
      if (seen.size >= MAX_REMEMBERED) seen.clear();
      seen.set(word, expansion);
    }
    return expansion;
  };
  /** Cached because a search looks for the same stems in every passage. */
  let last: { stems: string; candidates: RegExp } | null = null;
  const candidatesFor = (wanted: Set<string>): RegExp => {
    const stems = [...wanted].join(' ');
    if (last?.stems !== stems) last = { stems, candidates: candidateRuns(wanted) };
    return last.candidates;
  };
  const stream = (text: string): string => {
    const words = new Map<Expansion, number>();
    const pairs = new Map<string, number>();
    let previous: Expansion | null = null;
    const take = (word: string) => {
      const expansion = expand(word);
      if (expansion.text === '') return;
      words.set(expansion, (words.get(expansion) ?? 0) + 1);
      if (previous !== null && !(previous.stop && expansion.stop)) {
        const pair = `${previous.stem}+${expansion.stem} `;
        pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
      }
      previous = expansion;
    };
    // Positions are not needed here, and matching without them is faster.
    for (const run of text.match(RUN) ?? []) visitWords(run, 0, take);
    let once = '';
    let often = '';
    const put = (tokens: string, count: number) => {
      if (count === 1) once += tokens;
      else often += tokens.repeat(count);
    };
    for (const [{ text: tokens }, count] of words) put(tokens, count);
    for (const [pair, count] of pairs) put(pair, count);
    return once + often;
  };
  return {
    stream,
    tokens: (text) => [...new Set(stream(text).split(' ').filter(Boolean))],
    words: (text) => {
      const words = new Map<string, QueryWord>();
      forEachWord(text, (raw, start) => {
        const { stem, stop } = expand(raw);
        const word = fold(raw);
        if (word === '' || words.has(word)) return;
        words.set(word, { word, stem: `~${stem}`, stop: stop || isEnding(text, raw, start) });
      });
      return [...words.values()];
    },
    locate: (text, stems) => {
      const places: { start: number; end: number; stem: string }[] = [];
      const wanted = new Map(Array.from(stems, (stem) => [stem.slice(1), stem]));
      const visit = (word: string, start: number) => {
        const found = expand(word);
        const end = start + word.length;
        if (found.stems === undefined) {
          const stem = wanted.get(found.stem);
          if (stem !== undefined) places.push({ start, end, stem });
        } else if (found.stems.some((one) => wanted.has(one))) {
          for (const [one, stem] of wanted) if (found.stems.includes(one)) places.push({ start, end, stem });
        }
      };
      const candidate = candidatesFor(stems);
      for (let run = candidate.exec(text); run !== null; run = candidate.exec(text))
        visitWords(run[0], run.index, visit);
      return places;
    },
  };
}

/** The `s` of "the user's", the `ll` of "we'll". */
function isEnding(text: string, word: string, start: number): boolean {
  return word.length <= 2 && /[\p{L}\d]['’]$/u.test(text.slice(Math.max(0, start - 2), start));
}

/** A hash, longer than its shortest abbreviation. */
const HASH = /^(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{8,64}$/;

/** Whether an ASCII word has no parts. */
const WITHOUT_PARTS = /^[A-Za-z\d][a-z\d]*$/;

/**
 * Matches the runs that may contain one of the stems. A stem shares the beginning of its word, up to its last two letters, so most
 * words are skipped. Words with parts are not, nor any that are not ASCII.
 */
function candidateRuns(stems: Set<string>): RegExp {
  const plain = Array.from(stems, (stem) => /^~([a-z\d])([a-z\d]?)([a-z\d]*)$/.exec(stem)).flatMap(
    (found) => {
      if (found === null) return [];
      const [, first = '', second = '', rest = ''] = found;
      const begin = (second + rest).slice(0, -2);
      return `[${first}${first.toUpperCase()}]${begin}`;
    },
  );
  const starts = [...new Set(plain), '[A-Za-z\\d][a-z\\d]*[A-Z_\\u0080-\\uffff]', '[_\\u0080-\\uffff]'];
  return new RegExp(`(?<!${IN_RUN})(?:${starts.join('|')})${IN_RUN}*`, 'g');
}

const IN_RUN = '[\\w\\u0080-\\uffff]';

/** Empty for a word that consists of accents only. */
function expandWord(word: string): Expansion {
  const whole = fold(word);
  if (whole === '') return { text: '', stem: '', stop: true };
  const stem = stemOf(whole);
  const stop = STOP_WORDS.has(whole);
  let text = `${whole} ~${stem} `;
  // Commits are named by any number of their first digits.
  if (HASH.test(whole)) return { text: `${text}${commitStart(whole)} `, stem, stop };
  if (word.length > LONGEST_SPLIT_WORD || WITHOUT_PARTS.test(word)) return { text, stem, stop };
  const parts = word.split(NOT_ASCII.test(word) ? BETWEEN_PARTS : BETWEEN_ASCII_PARTS).filter(Boolean);
  if (parts.length <= 1 && (parts[0] ?? word) === word) return { text, stem, stop };
  const stems = [stem];
  for (const part of parts) {
    const low = fold(part);
    const ofPart = stemOf(low);
    text += `${low} ~${ofPart} `;
    stems.push(ofPart);
  }
  return { text, stem, stems, stop };
}

const BETWEEN_PARTS = /_+|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** The same for ASCII words: patterns with Unicode classes take a millisecond or more to compile. */
const BETWEEN_ASCII_PARTS = /_+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** The compatibility forms of some characters contain spaces and symbols. */
const NO_WORD = /[^\p{L}\p{N}\p{M}_]+/gu;

function stemOf(word: string): string {
  return /^[a-z]+$/.test(word) ? stemmer(word) : word;
}

/** In lower case, without accents, compatibility forms folded. */
function fold(word: string): string {
  const low = word.toLowerCase();
  if (/^[\0-\x7f]*$/.test(low)) return low;
  return low
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFKC')
    .replace(NO_WORD, '');
}

/**
 * Calls back for each run of letters, digits and underscores; runs in scripts without spaces are segmented. Uses a regular expression:
 * a loop over the characters is as fast once compiled, but ten times slower in a short process.
 */
function forEachWord(text: string, visit: (word: string, start: number) => void): void {
  for (const { 0: run, index } of text.matchAll(RUN)) visitWords(run, index, visit);
}

const RUN = /[\w\u0080-\uffff]+/g;

function visitWords(run: string, start: number, visit: (word: string, start: number) => void): void {
  if (NOT_ASCII.test(run)) forEachOtherWord(run, start, visit);
  else if (run.length <= LONGEST_WORD) visit(run, start);
}

const NOT_ASCII = /[^\0-\x7f]/;

/** The words of a run that may contain more than letters. */
function forEachOtherWord(text: string, offset: number, visit: (word: string, start: number) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    const inWord = at < text.length && (code < 128 || isOtherWord(text, at, code));
    if (inWord && start < 0) start = at;
    else if (!inWord && start >= 0) {
      visitRun(text.slice(start, at), offset + start, visit);
      start = -1;
    }
  }
}

function isOtherWord(text: string, at: number, code: number): boolean {
  if (code >= 0x2000 && code <= 0x2bff) return false;
  if (code >= 0xd800 && code <= 0xdbff) return /^[\p{L}\p{N}]/u.test(text.slice(at, at + 2));
  if (code >= 0xdc00 && code <= 0xdfff) return at > 0 && isHighSurrogateOfWord(text, at);
  return /[\p{L}\p{N}\p{M}]/u.test(text.charAt(at));
}

function isHighSurrogateOfWord(text: string, at: number): boolean {
  return /^[\p{L}\p{N}]/u.test(text.slice(at - 1, at + 1));
}

function visitRun(run: string, start: number, visit: (word: string, start: number) => void): void {
  if (MAY_BE_WORDLESS.test(run) && WORDLESS_SCRIPT.test(run)) segmentRun(run, start, visit);
  else if (run.length <= LONGEST_WORD) visit(run, start);
}

/** Scripts without spaces come after the Indic ones in Unicode. */
const MAY_BE_WORDLESS = /[\u0e00-\uffff]/;

/** Segments a run window by window: the segmenter takes quadratic time on long runs. */
function segmentRun(run: string, start: number, visit: (word: string, start: number) => void): void {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' });
  for (let at = 0; at < run.length; ) {
    const window = run.slice(at, at + SEGMENT_WINDOW);
    const isLast = at + window.length === run.length;
    const segments = [...segmenter.segment(window)];
    // The end of the window may have cut a word, which is whole in the next window.
    const last = isLast || segments.length === 1 ? undefined : segments.pop();
    for (const { segment, index, isWordLike } of segments) {
      if (isWordLike && segment.length <= LONGEST_WORD) visit(segment, start + at + index);
    }
    at += last?.index ?? window.length;
  }
}
