import { certaintyOf, type Evidence, POSSIBLE } from '../../../domain/search/certainty.ts';
import { coverage } from '../../../domain/search/coverage.ts';
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

/** How likely a result is the right one, and why; the evidence is null for a session that the query names. */
export interface Judgement {
  certainty: number;
  evidence: Evidence | null;
}

/** By session id. */
export function judgeResults(
  tokenizer: LexicalTokenizer,
  results: Presented[],
  { ranked, stems, shown, named }: Judged,
): Map<string, Judgement> {
  const known = new Map(ranked.map((one) => [one.session_id, one]));
  const folded = new Set(results.flatMap(({ family = [] }) => family));
  const [best = 0, second = 0] = ranked
    .flatMap(({ session_id, similarity }) => (folded.has(session_id) ? [] : [similarity]))
    .sort((a, b) => b - a);
  const judge = (result: Presented): Judgement => {
    // All sessions named in the query are equally likely.
    if (result.found_by !== undefined) return { certainty: Math.max(POSSIBLE, 1 / named), evidence: null };
    const similarity = known.get(result.session_id)?.similarity ?? 0;
    const family = [result.session_id, ...(result.family ?? [])];
    const meanCoverage = (texts: string[]) =>
      stems.reduce((sum, some) => sum + coverage(texts, some, tokenizer), 0) / stems.length;
    const evidence = {
      gap: similarity - (similarity === best ? second : best),
      coverage: meanCoverage(passagesOf(result, shown)),
      title: meanCoverage([shown.sessions.get(result.session_id)?.title ?? '']),
      words: stems[0]?.size ?? 0,
      first: family.reduce((sum, id) => sum + (known.get(id)?.first ?? 0), 0),
      phrased: stems.length > 1 ? 1 : 0,
    };
    return { certainty: certaintyOf(evidence), evidence };
  };
  return new Map(results.map((result) => [result.session_id, judge(result)]));
}

/** A result must be this much more certain than the one above it to move up (docs/ranking.md). */
const CLEARLY = 0.15;

/** Moves up results that are clearly more certain than those above them. Sessions named in the query stay first. */
export function orderByCertainty(results: Presented[], judged: Map<string, Judgement>): Presented[] {
  const certainty = ({ session_id }: Presented) => judged.get(session_id)?.certainty ?? 0;
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
