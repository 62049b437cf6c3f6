import { idInName, listTranscripts } from './list-transcripts.ts';
import { chainOf, type RolloutFiles } from './rollouts.ts';

/**
 * Looks for the files of a thread, by name; if there are any, for later rollouts of it, by their first lines. As a last resort, files
 * without an id in their name are opened.
 */
export function locateTranscript(
  { rollouts, inspect }: { rollouts: RolloutFiles; inspect(path: string): { sessionId: string } | null },
  homes: string[],
  sessionId: string,
): string | null {
  const isNamed = (path: string) => path.includes(sessionId) && idInName(path) === sessionId;
  const all = homes.map((home) => ({ paths: listTranscripts(home) }));
  for (const { paths } of all) {
    if (!paths.some(isNamed)) continue;
    const named = paths.filter((path) => idInName(path) !== null);
    const { parts } = chainOf(rollouts.byThread(named).get(sessionId) ?? []);
    const last = parts.at(-1);
    if (last !== undefined) return last;
  }
  const isUnnamed = (path: string) => idInName(path) === null && /\.jsonl(?:\.zst)?$/.test(path);
  const others = all.flatMap(({ paths }) => paths).filter(isUnnamed);
  return others.find((path) => inspect(path)?.sessionId === sessionId) ?? null;
}
