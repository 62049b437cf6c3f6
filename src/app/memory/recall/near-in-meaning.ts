import { mean } from '../../../domain/search/phrasings.ts';
import { numbersIn } from '../../../domain/search/search.ts';
import type { Embedding } from '../../../ports/embedder.ts';

/** Less spread than this says nothing. */
const LEAST_SPREAD = 0.02;

/**
 * How near each text is to the question in meaning, as standard deviations from the mean of all; null where this machine embeds no texts.
 * A model's cosines mean something only beside others of the same question.
 */
export async function nearInMeaning(
  embedding: Pick<Embedding, 'state' | 'queries' | 'embedder'>,
  question: string,
  texts: string[],
): Promise<number[] | null> {
  if (texts.length === 0 || (await embedding.state()).state !== 'ready') return null;
  const query = numbersIn(await (await embedding.queries()).embedQuery(question));
  if (query === null) return null;
  const vectors = await (await embedding.embedder()).embedDocuments(texts);
  const cosines = vectors.map((vector) => vector.reduce((sum, one, at) => sum + one * (query[at] ?? 0), 0));
  const middle = mean(cosines);
  const spread = Math.sqrt(mean(cosines.map((one) => (one - middle) ** 2))) + LEAST_SPREAD;
  return cosines.map((one) => (one - middle) / spread);
}
