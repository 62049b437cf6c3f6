import type { LexicalTokenizer } from '../../search/lexical.ts';

export interface BestTurn {
  turn: number;
  /** The turn's text within the chunk. */
  text: string;
}

const PROMPT = /^USER: /gm;

/**
 * The turn of a chunk with the greatest weight of wanted stems; the first of equals. The first `overlap` characters of the content repeat
 * the previous chunk.
 */
export function bestTurn(
  chunk: { content: string; overlap: number; turn: number },
  stems: Map<string, number>,
  tokenizer: LexicalTokenizer,
): BestTurn {
  const own = chunk.content.slice(chunk.overlap);
  const starts = Array.from(own.matchAll(PROMPT), ({ index }) => index);
  const from = starts[0] === 0 ? starts : [0, ...starts];
  const wanted = new Set(stems.keys());
  let best: BestTurn & { weight: number } = { turn: chunk.turn, text: own, weight: -1 };
  for (const [at, start] of from.entries()) {
    const text = own.slice(start, from[at + 1]);
    const found = new Set(tokenizer.locate(text, wanted).map(({ stem }) => stem));
    const weight = [...found].reduce((sum, stem) => sum + (stems.get(stem) ?? 0), 0);
    if (weight > best.weight) best = { turn: chunk.turn + at, text, weight };
  }
  return { turn: best.turn, text: best.text };
}
