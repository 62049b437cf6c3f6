import { lexicalText } from '../../src/domain/point/chunking.ts';
import type { OpenCorpus } from './open-corpus.ts';

/** A session's words and their counts. */
interface WordCounts {
  id: string;
  counts: Map<string, number>;
  length: number;
}

const K1 = 1.2;
const B = 0.75;

/** The plain baseline: BM25 over each session's words. */
export function plainBm25(documents: { id: string; text: string }[]): (query: string) => string[] {
  const counted = documents.map(countWords);
  const averageLength = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  return (query) => {
    const scores = counted.map(({ id }) => ({ id, score: 0 }));
    for (const word of new Set(wordsOf(query))) {
      const holders = counted.filter(({ counts }) => counts.has(word)).length;
      const idf = Math.log(1 + (counted.length - holders + 0.5) / (holders + 0.5));
      for (const [index, { counts, length }] of counted.entries()) {
        const count = counts.get(word) ?? 0;
        const entry = scores[index];
        if (entry)
          entry.score += (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
      }
    }
    return scores
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ id }) => id);
  };
}

/** The indexed text of every session. */
export async function sessionTexts({ parts, sessions }: OpenCorpus): Promise<{ id: string; text: string }[]> {
  const store = await parts.store();
  return Promise.all(
    sessions.map(async ({ session_id }) => ({
      id: session_id,
      text: (await store.getChunks(session_id)).map(lexicalText).join(''),
    })),
  );
}

function countWords({ id, text }: { id: string; text: string }): WordCounts {
  const counts = new Map<string, number>();
  const words = wordsOf(text);
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { id, counts, length: words.length };
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}
