import { brotliDecompressSync } from 'node:zlib';
import { archiveId, pointId } from '../../../src/domain/point/point-id.ts';
import { fieldsOf, listOf } from './double/answer.ts';
import type { QdrantDouble } from './double/server.ts';

/** A stored point with a part or the manifest of a transcript. */
export interface StoredArchive {
  id: string;
  type: string;
  sessionId: string;
  /** Base64. */
  data: string;
}

/** Everything that a server stores of transcripts: parts, and the manifests in sessions. */
export function archiveOf(double: QdrantDouble): StoredArchive[] {
  return [...double.collections.values()].flatMap((collection) => {
    const { points } = collection.scroll({ limit: 10_000, with_payload: true });
    return listOf(points).flatMap((point) => {
      const { id, payload } = fieldsOf(point);
      const { type, session_id, data, transcript } = fieldsOf(payload);
      if (type === 'session' && typeof transcript === 'string')
        return [{ id: String(id), type: 'manifest', sessionId: String(session_id), data: transcript }];
      if (type !== 'archive') return [];
      return [{ id: String(id), type, sessionId: String(session_id), data: String(data) }];
    });
  });
}

/** A session's transcript on the server, joined from its parts. */
export function transcriptOn(double: QdrantDouble, sessionId: string): Buffer {
  const points = new Map(archiveOf(double).map((point) => [point.id, Buffer.from(point.data, 'base64')]));
  const manifest = fieldsOf(JSON.parse(String(points.get(pointId(sessionId, 'session')))));
  const parts = listOf(manifest.parts).map((part, index) => {
    const digest = String(fieldsOf(part).digest);
    return brotliDecompressSync(points.get(archiveId(sessionId, { index, digest })) ?? '');
  });
  return Buffer.concat(parts);
}
