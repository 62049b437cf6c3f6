import { type Problem, problemOf, SmartForkError } from '../../../domain/errors.ts';
import { under } from './build-change.ts';
import type { SendDependencies, Sending } from './send-dependencies.ts';
import type { SentSessions } from './send-sessions.ts';

/** Vectors per request: about 2 MB. */
const SLICE = 256;

interface SentVectors {
  /** Why the server refuses vectors of this model. They stay here, and only keyword search is shared. */
  refused: Problem | null;
  /** Whether the server now has all vectors of a session, by id on the server; only for sessions that were checked. */
  complete: Map<string, boolean>;
}

/** Sends vectors computed here. The server ignores those whose text has changed since. */
export async function sendVectors(
  deps: SendDependencies,
  sendings: Sending[],
  texts: Pick<SentSessions, 'inserted' | 'rewritten'>,
): Promise<SentVectors> {
  const sent: SentVectors = { refused: null, complete: new Map() };
  const { model } = await deps.local.info();
  if (model === null) return sent;
  const wanted: { id: string; remoteId: string }[] = [];
  for (const sending of sendings) {
    const { remoteId } = sending;
    const lacking = await findLacking(deps, sending, texts);
    if (lacking === null) continue;
    sent.complete.set(remoteId, lacking.isComplete);
    for (const id of lacking.ids) wanted.push({ id, remoteId });
  }
  for (let at = 0; at < wanted.length && sent.refused === null; at += SLICE)
    sent.refused = await sendSlice(deps, model, wanted.slice(at, at + SLICE));
  return sent;
}

/** Null if there is nothing to send. `isComplete`: once these are sent, the server has every vector that is here. */
async function findLacking(
  { local, remote }: SendDependencies,
  { entry, localId, remoteId, unsent }: Sending,
  { inserted, rewritten }: Pick<SentSessions, 'inserted' | 'rewritten'>,
): Promise<{ ids: string[]; isComplete: boolean } | null> {
  const all = async () => [...(await local.getHashes(localId)).keys()];
  if (inserted.has(remoteId)) return { ids: await all(), isComplete: true };
  if (!entry.vectors && !rewritten.has(remoteId)) return null;
  if (unsent.vectors !== null && !rewritten.has(remoteId)) return { ids: unsent.vectors, isComplete: true };
  const here = await local.count({ sessionIds: [localId] });
  if (here.vectors === 0) return { ids: [], isComplete: false };
  const there = (await remote.count({ sessionIds: [remoteId] }, { exact: true })).vectors;
  if (there < here.vectors) return { ids: await all(), isComplete: true };
  // It has at least as many, but not necessarily the same ones.
  return { ids: [], isComplete: here.waiting.chunks + here.waiting.intents + here.memory.waiting === 0 };
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
    if (vector === undefined || payload === undefined) return [];
    return [{ id: under({ id, payload }, remoteId).id, contentHash: payload.content_hash, vector }];
  });
  if (items.length === 0) return null;
  try {
    await remote.setVectors(model, items);
    return null;
  } catch (error) {
    if (error instanceof SmartForkError && error.code === 'MODEL_MISMATCH') return problemOf(error);
    throw error;
  }
}
