import type { PointStore } from '../../ports/point-store.ts';

const LOOKED_AT = 30;
const MAX_WORDS = 8;
const MIN_WORDS = 3;

/** Distinctive words from a recent session's title, safe to type into any shell; null if there are none. */
export async function suggestSearch(store: PointStore): Promise<string | null> {
  const { sessions } = await store.list({}, LOOKED_AT);
  const titles = sessions.map(({ title }) => plainWords(title)).filter((words) => words.length >= MIN_WORDS);
  const best = titles.find((words) => words.length <= MAX_WORDS) ?? titles[0];
  return best === undefined ? null : best.slice(0, MAX_WORDS).join(' ');
}

function plainWords(title: string): string[] {
  return title
    .split(/\s+/)
    .flatMap(
      (word) => word.match(/^[("'“]*([\p{L}\p{N}][\p{L}\p{N}_.-]{0,60}?)[)"'”.,:;!?]{0,9}$/u)?.[1] ?? [],
    );
}
