import type { ChunkPayload, SessionPayload } from '../../../domain/point/point.ts';
import type { PointStore } from '../../../ports/point-store.ts';

/**
 * How this machine's copy of a session relates to the one on the server.
 * `same`: nothing to send. `newer`: ours continues theirs, or both are ours. `older`: theirs continues ours, or equals it.
 * `diverged`: each continues differently.
 */
type Standing = 'same' | 'newer' | 'older' | 'diverged';

interface Copies {
  local: PointStore;
  remote: PointStore;
  machine: string;
}

/**
 * Copies from two machines are compared by their conversations, because content_hash shows that two transcripts differ, but not whether
 * one begins with the other. Of two copies from this machine, the local one wins: it was read last.
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

/** The conversation without the overlaps of its chunks, so that it does not depend on chunk sizes. */
export function conversationOf(chunks: Pick<ChunkPayload, 'content' | 'overlap'>[]): string {
  return chunks.map(({ content, overlap }) => content.slice(overlap)).join('');
}

/** Ignores tags, which are synchronized separately; the id, which may differ there; and `archived`, which only the server knows. */
function isSameRecord(here: SessionPayload, there: SessionPayload): boolean {
  return recordText(here) === recordText(there);
}

function recordText({ tags: _, session_id: __, archived: ___, ...record }: SessionPayload): string {
  return JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
