import { type Problem, problemOf, SmartForkError } from '../../../domain/errors.ts';
import type { ChunkPayload, IntentPayload } from '../../../domain/point/point.ts';
import { under } from './build-change.ts';
import type { SendDependencies, Sending } from './send-dependencies.ts';

/** Vectors of one call: about 2 MB. */
const SLICE = 256;

/**
 * Sends vectors that were computed here; the server leaves those whose text is another one by now. Null, or why the server
 * will not take vectors of this model: then they stay here, and words are all that is shared.
 */
export async function sendVectors(
  deps: SendDependencies,
  sendings: Sending[],
  rewritten: Set<string>,
): Promise<Problem | null> {
  const { model } = await deps.local.info();
  if (model === null) return null;
  const wanted: { id: string; remoteId: string }[] = [];
  for (const sending of sendings) {
    for (const id of await idsOf(deps, sending, rewritten)) wanted.push({ id, remoteId: sending.remoteId });
  }
  for (let at = 0; at < wanted.length; at += SLICE) {
    const refusal = await sendSlice(deps, model, wanted.slice(at, at + SLICE));
    if (refusal !== null) return refusal;
  }
  return null;
}

/** All of a session only where the server has fewer: after a long time away it is asked, not told. */
async function idsOf(
  { local, remote }: SendDependencies,
  { entry, localId, remoteId }: Sending,
  rewritten: Set<string>,
): Promise<string[]> {
  if (entry.vectors !== null && !rewritten.has(remoteId)) return entry.vectors;
  const here = (await local.count({ sessionIds: [localId] })).vectors;
  if (here === 0) return [];
  const there = (await remote.count({ sessionIds: [remoteId] })).vectors;
  return there >= here ? [] : [...(await local.getHashes(localId)).keys()];
}

async function sendSlice(
  { local, remote }: SendDependencies,
  model: { id: string; dimensions: number },
  slice: { id: string; remoteId: string }[],
): Promise<Problem | null> {
  const ids = slice.map(({ id }) => id);
  const points = new Map((await local.getPoints(ids, { vectors: true })).map((point) => [point.id, point]));
  const items = slice.flatMap(({ id, remoteId }) => {
    const { vector, payload } = points.get(id) ?? {};
    if (vector === undefined || payload === undefined || payload.type === 'session') return [];
    const point: { id: string; payload: IntentPayload | ChunkPayload } = { id, payload };
    return [{ id: under(point, remoteId).id, contentHash: payload.content_hash, vector }];
  });
  if (items.length === 0) return null;
  try {
    await remote.setVectors(model, items);
    return null;
  } catch (error) {
    if (error instanceof SmartForkError && error.code === 'STORE_INCOMPATIBLE') return problemOf(error);
    throw error;
  }
}
