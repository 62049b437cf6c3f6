import type { Marker } from '../session/session.ts';
import { sanitizeLine } from '../text/sanitize.ts';

interface Matched {
  rank: number;
  markers: Marker[];
  match: { subagent?: string };
  scores: { parts: Record<string, number>; weights: Record<string, number> };
  found_by?: string;
}

/** Why a session was found, in a few words. */
export function matchLabel({ rank, markers, match, scores, found_by }: Matched): string {
  if (found_by !== undefined) return `found by ${sanitizeLine(found_by)}`;
  const how = byMeaning(scores.parts, scores.weights) ? 'semantic match' : 'keyword match';
  const where = match.subagent === undefined ? '' : ' in a subagent';
  const place = `${rank === 1 ? `best ${how}` : how}${where}`;
  return markers.includes('WORKING_SOLUTION') ? `${place}, working solution` : place;
}

/** Whether vectors contribute more to the score than keywords. */
function byMeaning(parts: Record<string, number>, weights: Record<string, number>): boolean {
  const share = (wanted: RegExp) =>
    Object.entries(parts)
      .filter(([name]) => wanted.test(name))
      .reduce((total, [name, value]) => total + value * (weights[name] ?? 0), 0);
  return share(/vectors|similarity/) > share(/words/);
}
