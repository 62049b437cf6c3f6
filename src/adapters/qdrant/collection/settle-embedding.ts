import { type Problem, problemOf, SmartForkError } from '../../../domain/errors.ts';
import type { Documents } from '../schema/documents.ts';
import { type StoreRecord, updateRecord } from '../schema/store-record.ts';
import { checkDimensions, isSameModel, otherModel } from '../vectors/vectors.ts';
import type { WriteContext } from '../write/write-sessions.ts';

/** How the texts of a write get their vectors. */
export interface WriteEmbedding {
  /** Null: they get none now. */
  documents: Documents | null;
  /** Why not, where that is news. */
  refusal: Problem | null;
}

export const NOT_EMBEDDING: WriteEmbedding = { documents: null, refusal: null };

/** The first texts that are embedded fix the model. Where another one filled the collection, texts go without vectors. */
export async function settleEmbedding(
  { connection, documents }: WriteContext,
  record: StoreRecord,
): Promise<WriteEmbedding> {
  if (documents === null || documents.refusals.current() !== null) return NOT_EMBEDDING;
  const { model } = documents;
  try {
    if (record.model === null) {
      await checkDimensions(connection, model);
      await updateRecord(connection, { model });
    } else if (!isSameModel(record.model, model)) throw otherModel(record.model, model);
    return { documents, refusal: null };
  } catch (error) {
    if (!(error instanceof SmartForkError) || error.code !== 'STORE_INCOMPATIBLE') throw error;
    return { documents: null, refusal: problemOf(error) };
  }
}
