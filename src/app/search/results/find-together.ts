import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { SessionFilter } from '../../../domain/search/search.ts';
import { coverTogether, type Together } from '../../../domain/search/together.ts';
import type { FoundTogether } from '../../../domain/search-result.ts';
import type { Findings, PointStore } from '../../../ports/point-store.ts';
import type { Presented } from '../present-result.ts';
import type { Shown } from './fetch-shown.ts';
import { passagesOf } from './judge-results.ts';

interface Wanted {
  results: Presented[];
  /** The IDF of each stem of the query. */
  stems: Map<string, number>;
  filter: SessionFilter;
  found: Pick<Findings, 'coverage'>;
  shown: Shown;
}

/** Shorter queries cannot be divided among sessions. */
const FEWEST_WORDS = 4;
/** Each word takes a list of its own. */
const MOST_WORDS = 24;
const CHUNKS_OF_EACH = 40;

/**
 * The results that together cover the query, if no single result does. If their passages suggest so, asks the store once which words
 * each session contains anywhere.
 */
export async function findTogether(
  { store, tokenizer }: { store: PointStore; tokenizer: LexicalTokenizer },
  { results, stems, filter, found, shown }: Wanted,
): Promise<FoundTogether | null> {
  const isNamed = results.some(({ found_by }) => found_by !== undefined);
  if (isNamed || results.length < 2 || stems.size < FEWEST_WORDS || stems.size > MOST_WORDS) return null;
  // Most answers end here without a request to the store.
  if (coverTogether(heldInPassages(results, shown, stems, tokenizer), stems) === null) return null;
  const ids = results.map(({ session_id }) => session_id);
  const [first, ...others] = [...stems.keys()].map((stem) => ({ tokens: [stem], vector: null }));
  if (first === undefined) return null;
  const chunks = ids.length * CHUNKS_OF_EACH;
  const { lists, also } = await store.find({
    ...first,
    also: others,
    coverage: found.coverage,
    filter: { ...filter, sessionIds: ids },
    limits: { sessions: ids.length, chunks, intents: 1 },
  });
  const held = new Map(ids.map((id) => [id, new Set<string>()]));
  const all = [lists, ...also];
  // The newest words of a session that grew are only in its passages.
  for (const [at, stem] of [...stems.keys()].entries())
    for (const hit of [...(all[at]?.sessionsByWords ?? []), ...(all[at]?.chunksByWords ?? [])])
      held.get(hit.session_id)?.add(stem);
  const together = coverTogether(held, stems);
  return together === null ? null : { ...together, text: textOf(together, ids) };
}

function heldInPassages(
  results: Presented[],
  shown: Shown,
  stems: Map<string, number>,
  tokenizer: LexicalTokenizer,
): Map<string, Set<string>> {
  const wanted = new Set(stems.keys());
  const stemsIn = (text: string) => tokenizer.locate(text, wanted).map(({ stem }) => stem);
  return new Map(
    results.map((result) => [result.session_id, new Set(passagesOf(result, shown).flatMap(stemsIn))]),
  );
}

/** "Results 1 and 3 together cover 94% of the query; no single one covers more than 61%" */
function textOf({ session_ids, coverage, alone }: Together, ids: string[]): string {
  const ranks = session_ids.map((id) => ids.indexOf(id) + 1).sort((a, b) => a - b);
  const named = `${ranks.slice(0, -1).join(', ')} and ${ranks.at(-1)}`;
  const percent = (value: number) => `${Math.round(100 * value)}%`;
  return `Results ${named} together cover ${percent(coverage)} of the query; no single one covers more than ${percent(alone)}`;
}
