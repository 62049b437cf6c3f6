import * as z from 'zod';
import { IDEA_KINDS, type Idea } from '../session/ideas.ts';
import { type Piece, placeIn } from './cut-pieces.ts';

const MAX_IDEAS = 20;
/** The precision of models has not been measured, so their ideas are hidden unless all ideas are requested. */
const CONFIDENCE = 0.5;
const MAY_BE_OPEN = new Set<string>(['question', 'problem', 'todo']);

const answered = z.object({ ideas: z.array(z.unknown()) });
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
 * The ideas in a model's answer that quote the piece verbatim and are not known yet. Null if the answer is not a list of ideas.
 */
export function acceptIdeas(
  answer: string,
  piece: Piece,
  known: Pick<Idea, 'content' | 'quote'>[],
): Accepted | null {
  const parsed = answered.safeParse(jsonIn(answer));
  if (!parsed.success) return null;
  const ideas: Idea[] = [];
  for (const one of parsed.data.ideas.slice(0, MAX_IDEAS)) {
    const { data } = found.safeParse(one);
    const at = data === undefined ? -1 : piece.text.indexOf(data.quote);
    if (data === undefined || at < 0 || isKnown(data, [...known, ...ideas])) continue;
    ideas.push({
      index: 0,
      kind: data.kind,
      content: data.content,
      confidence: CONFIDENCE,
      isOpen: MAY_BE_OPEN.has(data.kind) ? data.open === true : null,
      span: piece.span,
      line: piece.line,
      quote: data.quote,
      // The weakest evidence: such an idea closes and replaces no other.
      evidence: 'remark',
      origin: 'model',
      entities: [],
      relations: [],
      ...placeIn(piece, at),
    });
  }
  return { ideas, dropped: parsed.data.ideas.length - ideas.length };
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
