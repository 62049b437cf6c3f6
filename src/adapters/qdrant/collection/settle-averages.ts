import type { TokenCounts } from '../schema/sparse.ts';
import { type StoreRecord, updateRecord } from '../schema/store-record.ts';
import type { CountedChange, WriteContext } from '../write/write-sessions.ts';

/** Averages that lexical vectors are made with. */
export interface Averages {
  session: number;
  chunk: number;
}

/** Keeps the record up to date. The first sessions give the averages; `refresh` corrects them as the store grows. */
export async function settleAverages(
  context: WriteContext,
  record: StoreRecord,
  counted: CountedChange[],
): Promise<Averages> {
  const session = record.session_average ?? averageOf(counted.flatMap((one) => one.session ?? []));
  const chunk = record.chunk_average ?? averageOf(counted.flatMap(({ chunks }) => [...chunks.values()]));
  const change: Partial<StoreRecord> = {
    ...(counted.length > 0 && record.chunking !== context.chunking && { chunking: context.chunking }),
    ...(record.session_average === null && session !== null && { session_average: session }),
    ...(record.chunk_average === null && chunk !== null && { chunk_average: chunk }),
  };
  if (Object.keys(change).length > 0) await updateRecord(context.connection, change);
  return { session: session ?? 1, chunk: chunk ?? 1 };
}

function averageOf(documents: TokenCounts[]): number | null {
  const filled = documents.filter(({ length }) => length > 0);
  if (filled.length === 0) return null;
  return Math.round(filled.reduce((sum, { length }) => sum + length, 0) / filled.length);
}
