import { findSimilarWord } from '../../../domain/query/find-similar-word.ts';
import type { PointStore } from '../../../ports/point-store.ts';

/** Newer ones are likelier to be meant, and a server sends their whole records. */
const SESSIONS = 200;

/** Words of titles, repositories and branches that are spelled like words which occur nowhere, by those words. */
export async function suggestSpelling(
  store: Pick<PointStore, 'list'>,
  unknown: string[],
): Promise<Map<string, string>> {
  const { sessions } = await store.list({}, SESSIONS);
  const vocabulary = new Map<string, number>();
  for (const { title, repo_name, branch } of sessions)
    for (const [word] of `${title} ${repo_name ?? ''} ${branch ?? ''}`.toLowerCase().matchAll(/\p{L}{4,}/gu))
      vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
  return new Map(
    unknown.flatMap((word) => {
      const similar = findSimilarWord(word, vocabulary);
      return similar === null ? [] : [[word, similar]];
    }),
  );
}
