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

/** The same, with the names of sessions that are mentioned by their ids alone. */
export async function withNames(look: Look, parts: Pick<Parts, 'store'>, mentioned: string[]): Promise<Look> {
  if (mentioned.length === 0) return look;
  const sessions = await (await parts.store()).getSessions(mentioned);
  const names = new Map(sessions.map(({ session_id, title }) => [session_id, title]));
  const { columns, color, unicode, shortId } = look;
  return { columns, color, unicode, shortId, nameOf: (id) => names.get(id) };
}
