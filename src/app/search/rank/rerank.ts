import { errorText } from '../../../domain/errors.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { Reranker } from '../../../ports/rerank/reranker.ts';
import type { Presented } from '../present-result.ts';
import type { Shown } from '../results/fetch-shown.ts';
import { passagesOf } from '../results/judge-results.ts';
import { withPart } from './with-part.ts';

/** Number of results that the reranker reads. */
export const RERANKED = 20;
/** Time limit in milliseconds, including the time to load the model. */
const LONGEST_MS = 3000;
/** Counts as much as the whole first ranking (docs/internals/ranking.md). */
const WEIGHT = 1;

/**
 * Reorders the first results by how well their passages answer the query according to the reranker. Sessions named in the query stay
 * first. If the reranker fails or takes too long, the order is unchanged, and a notice says so.
 */
export async function rerank(
  reranker: Reranker | null,
  query: string,
  { ranked, shown }: { ranked: Presented[]; shown: Shown },
): Promise<{ ranked: Presented[]; notices: Notice[] }> {
  const read = ranked.filter(({ found_by }) => found_by === undefined).slice(0, RERANKED);
  if (reranker === null || read.length < 2 || query.trim() === '') return { ranked, notices: [] };
  const deadline = AbortSignal.timeout(LONGEST_MS);
  try {
    const texts = read.map((one) => textOf(one, shown));
    const scores = await Promise.race([reranker.score(query, texts, deadline), failsAt(deadline)]);
    return { ranked: inOrder(ranked, read, scores), notices: [] };
  } catch (error) {
    const message = deadline.aborted
      ? `not reranked: ${reranker.name} took longer than ${LONGEST_MS / 1000} s`
      : `not reranked: ${errorText(error)}`;
    return { ranked, notices: [{ code: 'NOT_RERANKED', message, hint: 'smart-fork doctor' }] };
  }
}

function textOf(one: Presented, shown: Shown): string {
  const title = shown.sessions.get(one.session_id)?.title ?? '';
  return [...new Set([title, ...passagesOf(one, shown)])].join('\n');
}

/** Rerankers' scores have no common scale, so they are divided by their own range like the other parts. */
function inOrder(ranked: Presented[], read: Presented[], scores: number[]): Presented[] {
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const part = (score: number) => (most > least ? (score - least) / (most - least) : 1);
  const raised = read
    .map((one, at) => withPart(one, 'reranker', part(scores[at] ?? least), WEIGHT))
    .sort((a, b) => b.score - a.score);
  const wasRead = new Set(read);
  const named = ranked.filter(({ found_by }) => found_by !== undefined);
  const others = ranked.filter((one) => one.found_by === undefined && !wasRead.has(one));
  return [...named, ...raised, ...others];
}

/** Loading a model cannot be interrupted. */
function failsAt(deadline: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason), { once: true });
  });
}
