import type { Parts } from '../../compose/parts.ts';
import { shortIds } from '../../compose/sessions/short-ids.ts';
import type { Look } from '../terminal/ink.ts';

export async function withShortIds(
  look: Look,
  parts: Pick<Parts, 'local' | 'localFile'>,
  sessionIds: string[],
): Promise<Look> {
  const { columns, color, unicode } = look;
  return { columns, color, unicode, shortId: await shortIds(parts, sessionIds) };
}
