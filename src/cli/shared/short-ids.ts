import type { Parts } from '../../compose/parts.ts';
import { shortIdAmong } from '../../domain/session/session-id.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Look } from '../terminal/ink.ts';

type Index = Pick<Parts, 'local' | 'localFile'>;

/** Shortens the ids of these sessions so that none is the beginning of another one in this machine's index. */
export async function shortIds(parts: Index, sessionIds: string[]): Promise<(id: string) => string> {
  const near = parts.localFile.exists() ? await (await parts.local()).idsNextTo(sessionIds) : [];
  const shortId = shortIdAmong([...sessionIds, ...near].map(sanitizeLine));
  return (id) => shortId(sanitizeLine(id));
}

export async function withShortIds(look: Look, parts: Index, sessionIds: string[]): Promise<Look> {
  const { columns, color, unicode } = look;
  return { columns, color, unicode, shortId: await shortIds(parts, sessionIds) };
}
