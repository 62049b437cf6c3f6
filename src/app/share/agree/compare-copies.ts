import type { ChunkPayload, SessionPayload } from '../../../domain/point/point.ts';
import type { PointStore } from '../../../ports/point-store.ts';

/**
 * How this machine's copy of a session stands to the one on the server.
 * `same`: nothing to send. `newer`: ours goes on where theirs ends, or both are ours. `older`: theirs goes on where ours
 * ends, or says the same. `diverged`: both went on, each in its own way.
 */
export type Standing = 'same' | 'newer' | 'older' | 'diverged';

interface Copies {
  local: PointStore;
  remote: PointStore;
  machine: string;
}

/**
 * Copies of two machines are told apart by what was said in them: a session's content_hash says that two transcripts differ,
 * not whether one begins with the other. Between two copies of this machine the one here counts: it was read last.
 */
export async function compareCopies(
  { local, remote, machine }: Copies,
  here: SessionPayload,
  there: SessionPayload,
): Promise<Standing> {
  if (there.machine === machine) return isSameRecord(here, there) ? 'same' : 'newer';
  if (here.content_hash === there.content_hash) return 'older';
  const [ours, theirs] = await Promise.all([
    local.getChunks(here.session_id),
    remote.getChunks(there.session_id),
  ]);
  const [our, their] = [conversationOf(ours), conversationOf(theirs)];
  if (their.startsWith(our)) return 'older';
  return our.startsWith(their) ? 'newer' : 'diverged';
}

/** Chunks repeat the end of the one before; each piece once. Sizes of chunks make no difference to it. */
export function conversationOf(chunks: Pick<ChunkPayload, 'content' | 'overlap'>[]): string {
  return chunks.map(({ content, overlap }) => content.slice(overlap)).join('');
}

/** Tags go their own way, the id may be another one there, and only the server says what is archived on it. */
function isSameRecord(here: SessionPayload, there: SessionPayload): boolean {
  return recordText(here) === recordText(there);
}

function recordText({ tags: _, session_id: __, archived: ___, ...record }: SessionPayload): string {
  return JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
