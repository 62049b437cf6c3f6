import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { PointStore, SessionPage } from '../../../ports/point-store.ts';
import type { TranscriptFile, TranscriptSource } from '../../../ports/transcript-source.ts';

/** Caches lists for one search: results from the same repository ask for the same sessions. */
export function askListsOnce(store: PointStore): PointStore {
  const asked = new Map<string, Promise<SessionPage>>();
  return {
    ...store,
    list(filter, limit, cursor) {
      const question = JSON.stringify([filter, limit, cursor]);
      const answer = asked.get(question) ?? store.list(filter, limit, cursor);
      asked.set(question, answer);
      return answer;
    },
  };
}

/**
 * Caches `inspect` for one search, which inspects the transcript of a result once to leave out the asking session, and again to print its
 * command. Saves 4 ms per search in a process of its own.
 */
export function inspectOnce(sources: TranscriptSource[]): TranscriptSource[] {
  return sources.map((source) => {
    const known = new Map<string, TranscriptFile | null>();
    return {
      ...source,
      inspect(path) {
        const file = known.has(path) ? known.get(path) : source.inspect(path);
        known.set(path, file ?? null);
        return file ?? null;
      },
    };
  });
}

/** Caches word positions for one search, which looks for the same words in the same passages several times. */
export function locateOnce(tokenizer: LexicalTokenizer, stems: Set<string>): LexicalTokenizer {
  const known = new Map<string, ReturnType<LexicalTokenizer['locate']>>();
  return {
    ...tokenizer,
    locate(text, wanted) {
      const places = known.get(text) ?? tokenizer.locate(text, stems);
      known.set(text, places);
      return places.filter(({ stem }) => wanted.has(stem));
    },
  };
}
