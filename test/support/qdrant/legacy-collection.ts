import { pointId } from '../../../src/domain/point/point-id.ts';

export interface LegacySample {
  id: string;
  chunks: string[];
  intents: string[];
  timestamp?: string;
  /** Session ids of its points; all the same unless given. */
  vector?: number[];
}

const anyVector = Array.from({ length: 384 }, (_, at) => Math.sin(at));

/** A collection like the Python program's: one unnamed vector, texts in the payloads. */
export async function writeLegacyCollection(
  url: string,
  name: string,
  samples: LegacySample[],
  others: object[] = [],
): Promise<void> {
  const put = (path: string, body: unknown) =>
    fetch(`${url}/collections/${name}${path}`, { method: 'PUT', body: JSON.stringify(body) });
  await put('', { vectors: { size: 384, distance: 'Cosine', on_disk: true } });
  for (const field_name of ['repo_id', 'repo_name', 'session_id', 'type', 'machine'])
    await put('/index?wait=true', { field_name, field_schema: 'keyword' });
  await put('/points?wait=true', { points: [...samples.flatMap(pointsOf), ...others] });
}

function pointsOf({
  id,
  chunks,
  intents,
  timestamp = '2025-01-18T14:30:00Z',
  vector = anyVector,
}: LegacySample) {
  const common = { repo_id: 'a1b2c3d4', repo_name: 'engine', session_id: id };
  return [
    ...intents.map((intent_text, chunk_index) => ({
      id: pointId(id, 'intent', chunk_index),
      vector,
      payload: {
        type: 'intent',
        ...common,
        repo_path: '/c/Github/engine',
        machine: 'DESKTOP',
        timestamp,
        content_hash: `sha256:${id}`,
        intent_text,
        chunk_index,
        total_chunks: intents.length,
        transcript_chunk_count: chunks.length,
      },
    })),
    ...chunks.map((content, chunk_index) => ({
      id: pointId(id, 'chunk', chunk_index),
      vector,
      payload: { type: 'chunk', ...common, chunk_index, total_chunks: chunks.length, content },
    })),
  ];
}
