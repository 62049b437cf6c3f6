import { certaintyOf, coverage, POSSIBLE } from '../../../domain/search/confidence.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { RankedByPhrasings } from '../../../domain/search/phrasings.ts';
import type { Presented } from '../present-result.ts';
import type { Shown } from './fetch-shown.ts';

interface Judged {
  /** Ranked by the default formula, whatever order the results are in. */
  ranked: RankedByPhrasings[];
  /** The IDF of each stem, for the query and for each further phrasing. */
  stems: Map<string, number>[];
  shown: Shown;
  /** Number of sessions that the query names, whether they are among the results or not. */
  named: number;
}

/** How likely each result is the right one, by session id. */
export function judgeResults(
  tokenizer: LexicalTokenizer,
  results: Presented[],
  { ranked, stems, shown, named }: Judged,
): Map<string, number> {
  const similarities = new Map(ranked.map(({ session_id, similarity }) => [session_id, similarity]));
  const folded = new Set(results.flatMap(({ family = [] }) => family));
  const [best = 0, second = 0] = ranked
    .flatMap(({ session_id, similarity }) => (folded.has(session_id) ? [] : [similarity]))
    .sort((a, b) => b - a);
  return new Map(
    results.map((result) => {
      // All sessions named in the query are equally likely.
      if (result.found_by !== undefined) return [result.session_id, Math.max(POSSIBLE, 1 / named)];
      const similarity = similarities.get(result.session_id) ?? 0;
      const title = shown.sessions.get(result.session_id)?.title ?? '';
      const passages = passagesOf(result, shown);
      const meanCoverage = (texts: string[]) =>
        stems.reduce((sum, some) => sum + coverage(texts, some, tokenizer), 0) / stems.length;
      const certainty = certaintyOf({
        gap: similarity - (similarity === best ? second : best),
        coverage: meanCoverage(passages),
        titleCoverage: meanCoverage([title]),
        words: stems[0]?.size ?? 0,
        phrased: stems.length > 1,
      });
      return [result.session_id, certainty];
    }),
  );
}

/** A result must be this much more certain than the one above it to move up (docs/ranking.md). */
const CLEARLY = 0.15;

/** Moves up results that are clearly more certain than those above them. Sessions named in the query stay first. */
export function orderByCertainty(results: Presented[], certainties: Map<string, number>): Presented[] {
  const certainty = ({ session_id }: Presented) => certainties.get(session_id) ?? 0;
  const ordered: Presented[] = [];
  for (const one of results) {
    const isBelow = (other: Presented) =>
      other.found_by !== undefined || certainty(one) <= certainty(other) + CLEARLY;
    ordered.splice(ordered.findLastIndex(isBelow) + 1, 0, one);
  }
  return ordered;
}

/** A result's best matching passages. */
export function passagesOf({ best }: Presented, { points }: Shown): string[] {
  return [best.chunkByWords, best.chunkByVector].flatMap((hit) => {
    const payload = points.get(hit?.point_id ?? '');
    return payload?.type === 'chunk' ? [payload.content] : [];
  });
}
