import type { Problem } from '../../../domain/errors.ts';
import { isMemory, pointText } from '../../../domain/point/point.ts';
import type { TextPointChange } from '../../../ports/point-store.ts';
import { sendInBatches, updateInBatches } from '../http/send-in-batches.ts';
import { BM25_CHUNK, DENSE } from '../schema/collection-shape.ts';
import { DOCUMENTS_A_REQUEST, type Documents, documentOf, withDocuments } from '../schema/documents.ts';
import { anyOf } from '../schema/filters.ts';
import { toSparseVector } from '../schema/sparse.ts';
import { toStoredText } from '../schema/stored-payload.ts';
import type { Filter, UpdateOperation } from '../types.ts';
import type { CountedChange, WriteContext } from './count-change.ts';

interface TextWrite {
  /** content_hash of stored texts, by the ids of their points. */
  stored: Map<string, string>;
  /** Null: the texts get no dense vectors now. */
  documents: Documents | null;
}

/** The texts of one change, as operations. */
export function textOperations(counted: CountedChange, write: TextWrite): UpdateOperation[] {
  const { same, written } = partTexts(counted, write.stored);
  const points = written.map((upsert) => textPoint(counted, upsert, write));
  const update_filter = ofOtherTexts(points.map(({ payload }) => payload.content_hash));
  const upserts = points.length === 0 ? [] : [{ upsert: { points, update_filter } }];
  return [...upserts, ...same.flatMap((upsert) => updateSameText(counted, upsert, write))];
}

/** Sends the texts of many changes in batches. Resolves to why the server did not embed some of them; null if it embedded all. */
export async function sendTexts(
  { connection, batches }: WriteContext,
  counted: CountedChange[],
  write: TextWrite,
): Promise<Problem | null> {
  const { documents } = write;
  const parted = counted.map((one) => ({ one, ...partTexts(one, write.stored) }));
  const points = parted.flatMap(({ one, written }) => written.map((upsert) => textPoint(one, upsert, write)));
  const most = documents === null ? batches.points : Math.min(batches.points, DOCUMENTS_A_REQUEST);
  let refusal: Problem | null = null;
  await sendInBatches({ ...batches, points: most }, points, async (batch) => {
    const over = ofOtherTexts(batch.map(({ payload }) => payload.content_hash));
    const sent = await withDocuments(documents, (some) =>
      connection.upsert(some === documents ? batch : batch.map(withoutDense), over),
    );
    refusal ??= sent.refusal;
  });
  const updates = parted.flatMap(({ one, same }) => same.map((upsert) => updateSameText(one, upsert, write)));
  await updateInBatches(connection, batches, updates);
  return refusal;
}

/** Stored texts keep their dense vector; the others are written as whole points. */
export function partTexts({ change }: CountedChange, stored: Map<string, string>) {
  const isSame = ({ point }: TextPointChange) => stored.get(point.id) === point.payload.content_hash;
  return {
    same: change.upserts.filter(isSame),
    written: change.upserts.filter((upsert) => !isSame(upsert)),
  };
}

/**
 * A slow server may apply a write after its timeout, long after the write was repeated and vectors were set. It must not overwrite them.
 */
function ofOtherTexts(hashes: string[]): Filter {
  return { must_not: [anyOf('content_hash', hashes)] };
}

/** Updates the lexical vector and the payload of a point whose text is unchanged: an upsert would drop the dense vector. */
function updateSameText(
  counted: CountedChange,
  upsert: TextPointChange,
  write: TextWrite,
): UpdateOperation[] {
  const { id, vector, payload } = textPoint(counted, upsert, { ...write, documents: null });
  const points = [id];
  const without = payload.type !== 'intent' ? [{ delete_vectors: { points, vector: [BM25_CHUNK] } }] : [];
  const lexical =
    vector[BM25_CHUNK] !== undefined ? [{ update_vectors: { points: [{ id, vector }] } }] : without;
  return [...lexical, { overwrite_payload: { payload, filter: { must: [{ has_id: points }] } } }];
}

function textPoint(
  { change, texts }: CountedChange,
  { point: { id, payload } }: TextPointChange,
  { documents }: TextWrite,
) {
  const counts = texts.get(id);
  const kind = isMemory(payload) ? 'memory' : 'chunk';
  const vector = {
    [BM25_CHUNK]: counts !== undefined && counts.length > 0 ? toSparseVector(counts, kind) : undefined,
    [DENSE]:
      documents !== null && change.vectorsFollow !== true
        ? documentOf(documents, pointText(payload))
        : undefined,
  };
  return { id, vector, payload: { ...toStoredText(payload, change.session.payload) } };
}

function withoutDense(point: ReturnType<typeof textPoint>) {
  return { ...point, vector: { ...point.vector, [DENSE]: undefined } };
}
