import type { Presented } from '../present-result.ts';
import { withPart } from './with-part.ts';

/** Only decides between nearly equal results (docs/ranking.md). */
const WEIGHT = 0.05;

/** Raises sessions chosen after similar searches by up to WEIGHT. Sessions named in the query stay first. */
export function raiseChosen(ranked: Presented[], chosen: Map<string, number>): Presented[] {
  if (!ranked.some(({ session_id }) => chosen.has(session_id))) return ranked;
  const isNamed = ({ found_by }: Presented) => found_by !== undefined;
  const others = ranked.filter((one) => !isNamed(one));
  const raised = others
    .map((one) => withPart(one, 'chosen_before', chosen.get(one.session_id) ?? 0, WEIGHT))
    .sort((a, b) => b.score - a.score);
  return [...ranked.filter(isNamed), ...raised];
}
