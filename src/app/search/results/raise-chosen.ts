import type { Presented } from '../present-result.ts';
import { withPart } from './with-part.ts';

/** Decides between near results only (docs/ranking.md). */
const WEIGHT = 0.05;

/** The results, sessions that were chosen after similar searches raised by up to WEIGHT; those that the query names stay first. */
export function raiseChosen(ranked: Presented[], chosen: Map<string, number>): Presented[] {
  if (!ranked.some(({ session_id }) => chosen.has(session_id))) return ranked;
  const isNamed = ({ found_by }: Presented) => found_by !== undefined;
  const others = ranked.filter((one) => !isNamed(one));
  const raised = others
    .map((one) => withPart(one, 'chosen_before', chosen.get(one.session_id) ?? 0, WEIGHT))
    .sort((a, b) => b.score - a.score);
  return [...ranked.filter(isNamed), ...raised];
}
