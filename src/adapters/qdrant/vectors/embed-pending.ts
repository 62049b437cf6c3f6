import { problemOf, SmartForkError } from '../../../domain/errors.ts';
import { pointText } from '../../../domain/point/point.ts';
import type { PendingReport } from '../../../ports/remote-store.ts';
import { fixModel } from '../collection/fix-model.ts';
import type { Connection } from '../http/connection.ts';
import { DOCUMENTS_A_REQUEST, type Documents, documentOf, withDocuments } from '../schema/documents.ts';
import { askCoverage } from '../search/list-sessions.ts';
import { pointsWithoutVector, putVectors } from './set-vectors.ts';

/** Embeds texts stored without a vector, by a machine without the model or while the service was unavailable. */
export async function embedPending(
  connection: Connection,
  documents: Documents,
  limit: number,
  signal?: AbortSignal,
): Promise<PendingReport> {
  const report: PendingReport = { embedded: 0, refused: null };
  if (documents.refusals.current() !== null) return report;
  const { waiting, memory } = await askCoverage(connection);
  if (waiting.intents + waiting.chunks + memory.waiting === 0) return report;
  try {
    await fixModel(connection, documents.model);
  } catch (error) {
    if (!(error instanceof SmartForkError) || error.code !== 'MODEL_MISMATCH') throw error;
    return { ...report, refused: problemOf(error) };
  }
  return embedBatches(connection, documents, limit, signal);
}

/** Sends each text at most once, even if it fails. */
async function embedBatches(
  connection: Connection,
  documents: Documents,
  limit: number,
  signal?: AbortSignal,
): Promise<PendingReport> {
  const tried = new Set<string>();
  while (tried.size < limit && signal?.aborted !== true) {
    const found = await pointsWithoutVector(connection, Math.min(DOCUMENTS_A_REQUEST, limit - tried.size));
    const batch = found
      .filter(({ id }) => !tried.has(id))
      .map(({ id, payload }) => ({
        id,
        contentHash: payload.content_hash,
        vector: documentOf(documents, pointText(payload)),
      }));
    if (batch.length === 0) break;
    for (const { id } of batch) tried.add(id);
    const { refusal } = await withDocuments(documents, async (usable) => {
      if (usable !== null) await putVectors(connection, batch);
    });
    if (refusal !== null) return { embedded: tried.size - batch.length, refused: refusal };
  }
  return { embedded: tried.size, refused: null };
}
