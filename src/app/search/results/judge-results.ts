import type { SessionPayload } from '../../../domain/point/point.ts';
import { certaintyOf, type Evidence, LIKELY, POSSIBLE } from '../../../domain/search/certainty.ts';
import { coverage, saidCoverage } from '../../../domain/search/coverage.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { RankedByPhrasings } from '../../../domain/search/phrasings.ts';
import { mean } from '../../../domain/search/phrasings.ts';
import type { Presented } from '../present-result.ts';
import type { Shown } from './fetch-shown.ts';

interface Judged {
  /** All sessions by the default formula, whatever the filters and the order of the results. */
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
  const isTelling = stems.some((some) => [...some.keys()].some((stem) => !LETTER.test(stem)));
  const judge = (result: Presented): Judgement => {
    // All sessions named in the query are equally likely.
    if (result.found_by !== undefined) {
      const most = result.isMention ? LIKELY : 1;
      return { certainty: Math.max(POSSIBLE, Math.min(most, 1 / named)), evidence: null };
    }
    const similarity = known.get(result.session_id)?.similarity ?? 0;
    const family = [result.session_id, ...(result.family ?? [])];
    const passages = passagesOf(result, shown);
    const names = namesOf(shown.sessions.get(result.session_id), passages);
    const byName = stems.map((some) => coverage(names, some, tokenizer));
    const covered = stems.map((some, at) =>
      Math.max(byName[at] ?? 0, saidCoverage(passages, some, tokenizer)),
    );
    const evidence = {
      gap: similarity - (similarity === best ? second : best),
      coverage: isTelling ? mean(covered) : 0,
      named: isTelling ? mean(byName) : 0,
      words: stems[0]?.size ?? 0,
      first: family.reduce((sum, id) => sum + (known.get(id)?.first ?? 0), 0),
      phrased: stems.length > 1 ? 1 : 0,
    };
    return { certainty: certaintyOf(evidence), evidence };
  };
  return new Map(results.map((result) => [result.session_id, judge(result)]));
}

/** The stem of a single letter or digit: every session has it. */
const LETTER = /^~[a-z\d]$/;

const MAX_FILES = 200;

/** What a session is about, in words that are there for a reason: its title, commits, the ends of changed files' paths, URLs. */
function namesOf(session: SessionPayload | undefined, passages: string[]): string[] {
  if (session === undefined) return [];
  const files = session.files_touched.slice(0, MAX_FILES);
  return [
    session.title,
    ...session.commits.map(({ subject }) => subject),
    ...files.map((path) => path.split(/[\\/]/).slice(-3).join('/')),
    ...passages.flatMap((text) => text.match(URLS) ?? []),
  ];
}

const URLS = /\bhttps?:\/\/[^\s<>"'`)\]]{4,300}/g;

/** A result must be this much more certain by its texts than the one above it to move up (docs/internals/ranking.md). */
const CLEARLY = 0.15;

/**
 * Moves up results that are clearly more certain by their passages and titles than those above them. The lists and the gap are left
 * out, because the order by score already follows them. Sessions named in the query stay first.
 */
export function orderByTexts(results: Presented[], judged: Map<string, Judgement>): Presented[] {
  const certainty = ({ session_id }: Presented) => {
    const evidence = judged.get(session_id)?.evidence;
    return evidence == null ? 0 : certaintyOf({ ...evidence, gap: 0, first: 0 });
  };
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
