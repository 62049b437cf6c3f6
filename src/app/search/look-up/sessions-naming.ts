import { pointText } from '../../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import { isSameCommit, MIN_DIGITS } from '../../../domain/session/commit-hash.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { passagesWith } from '../understand/sessions-with.ts';

interface Dependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
}

const HASHES = /(?<![\p{L}\d_-])[\da-f]{7,64}(?![\p{L}\d_-])/giu;

/**
 * The ids of sessions that name a commit in their texts, abbreviated or in full, as an agent does that merged a pull request.
 * @param hash at least seven digits, in lower case
 */
export async function sessionsNaming({ store, tokenizer }: Dependencies, hash: string): Promise<string[]> {
  const abbreviations = Array.from({ length: hash.length - MIN_DIGITS + 1 }, (_, more) =>
    hash.slice(0, MIN_DIGITS + more),
  );
  const tokens = new Set(abbreviations.flatMap((one) => tokenizer.tokens(one)));
  const passages = await passagesWith(store, [...tokens]);
  const isNamed = (text: string) =>
    Array.from(text.matchAll(HASHES)).some(([one]) => isSameCommit(one.toLowerCase(), hash));
  const naming = passages.filter(({ payload }) => isNamed(pointText(payload)));
  return [...new Set(naming.map(({ payload }) => payload.session_id))];
}
