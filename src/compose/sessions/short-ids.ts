import { shortIdAmong } from '../../domain/session/session-id.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Parts } from '../parts.ts';

/** Shortens the ids of these sessions so that none is a prefix of another id in this machine's index. */
export async function shortIds(
  parts: Pick<Parts, 'local' | 'localFile'>,
  sessionIds: string[],
): Promise<(id: string) => string> {
  const near = parts.localFile.exists() ? await (await parts.local()).idsNextTo(sessionIds) : [];
  const shortId = shortIdAmong([...sessionIds, ...near].map(sanitizeLine));
  return (id) => shortId(sanitizeLine(id));
}
