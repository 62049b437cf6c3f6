import type { Parts } from '../../compose/parts.ts';
import { shortIds } from '../../compose/sessions/short-ids.ts';
import type { Look } from '../terminal/ink.ts';

/** @param known short ids that have already been looked up */
export async function withShortIds(
  look: Look,
  parts: Pick<Parts, 'local' | 'localFile'>,
  sessionIds: string[],
  known?: Record<string, string>,
): Promise<Look> {
  const { columns, color, unicode } = look;
  const shortId = known === undefined ? await shortIds(parts, sessionIds) : (id: string) => known[id] ?? id;
  return { columns, color, unicode, shortId };
}
