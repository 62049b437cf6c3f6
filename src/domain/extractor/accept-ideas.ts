import * as z from 'zod';
import { IDEA_KINDS, type Idea, isWritten } from '../session/ideas.ts';
import { type Piece, placeIn } from './cut-pieces.ts';

const MAX_IDEAS = 20;
const MAX_SENTENCES = 3;
/** The precision of models has not been measured, so their ideas are hidden unless all ideas are requested. */
const CONFIDENCE = 0.5;
const MAY_BE_OPEN = new Set<string>(['question', 'problem', 'todo']);

const answered = z.object({ ideas: z.array(z.unknown()), summary: z.array(z.unknown()).catch([]) });
const written = z.object({
  sentence: z.string().trim().min(8).max(300),
  quote: z.string().trim().min(8).max(300),
});
const found = z.object({
  kind: z.enum(IDEA_KINDS),
  content: z.string().trim().min(8).max(600),
  quote: z.string().trim().min(8).max(300),
  open: z.boolean().nullish(),
});

interface Accepted {
  /** Their indexes in the session are not assigned yet. */
  ideas: Idea[];
  dropped: number;
}

/**
 * The ideas and the sentences of a summary in a model's answer that quote the piece verbatim and are not known yet. Null if the answer is not a list of ideas.
 */
export function acceptIdeas(
  answer: string,
  piece: Piece,
  noted: Pick<Idea, 'content' | 'quote' | 'origin' | 'evidence'>[],
): Accepted | null {
  const parsed = answered.safeParse(jsonIn(answer));
  if (!parsed.success) return null;
  const { ideas: listed, summary } = parsed.data;
  const known = noted.filter((one) => !isWritten(one));
  const ideas: Idea[] = [];
  for (const one of listed.slice(0, MAX_IDEAS)) {
    const { data } = found.safeParse(one);
    const at = data === undefined ? -1 : piece.text.indexOf(data.quote);
    if (data === undefined || at < 0 || isKnown(data, [...known, ...ideas])) continue;
    const isOpen = MAY_BE_OPEN.has(data.kind) ? data.open === true : null;
    ideas.push({ ...noteOf(piece, at), kind: data.kind, content: data.content, quote: data.quote, isOpen });
  }
  for (const one of summary.slice(0, MAX_SENTENCES)) {
    const { data } = written.safeParse(one);
    const at = data === undefined ? -1 : piece.text.indexOf(data.quote);
    if (data === undefined || at < 0 || isKnown({ ...data, content: data.sentence }, noted.filter(isWritten)))
      continue;
    const { sentence: content, quote } = data;
    ideas.push({ ...noteOf(piece, at), kind: 'conclusion', content, quote, evidence: 'summary' });
  }
  return { ideas, dropped: listed.length + summary.length - ideas.length };
}

function noteOf(piece: Piece, at: number): Omit<Idea, 'kind' | 'content' | 'quote'> {
  return {
    index: 0,
    confidence: CONFIDENCE,
    isOpen: null,
    span: piece.span,
    line: piece.line,
    // The weakest evidence: such an idea closes and replaces no other.
    evidence: 'remark',
    origin: 'model',
    entities: [],
    relations: [],
    ...placeIn(piece, at),
  };
}

/** Some models wrap the JSON in a code fence or a sentence. */
function jsonIn(answer: string): unknown {
  const [first, last] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  try {
    return JSON.parse(answer.slice(first, last + 1));
  } catch {
    // Not JSON: the caller reports it.
    return null;
  }
}

/** Above this overlap, two ideas are the same. */
const NEAR = 0.7;
/** Words that negate a sentence. */
const OPPOSITES = new Set([
  'never',
  'always',
  'not',
  'no',
  'without',
  'don',
  'nie',
  'immer',
  'nicht',
  'kein',
]);

function isKnown(
  { content, quote }: Pick<Idea, 'content' | 'quote'>,
  known: Pick<Idea, 'content' | 'quote'>[],
): boolean {
  const words = wordsOf(content);
  return known.some((one) => {
    if (isSameQuote(one.quote, quote)) return true;
    const others = wordsOf(one.content);
    const shared = [...words].filter((word) => others.has(word)).length;
    const differ = [...OPPOSITES].some((word) => words.has(word) !== others.has(word));
    return !differ && shared >= NEAR * (words.size + others.size - shared);
  });
}

/** A long quotation may hold more than one idea. */
function isSameQuote(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length >= NEAR * long.length && long.includes(short);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}
