import { pointId } from '../../../src/domain/point/point-id.ts';
import type { BenchServer } from './qdrant-server.ts';

type Place = Pick<BenchServer, 'url' | 'apiKey'> & { collection: string };

interface StoredPoint {
  id: string;
  vector: unknown;
  payload: { type: string; session_id: string };
}

const PAGE = 256;
const TYPES = ['session', 'chunk', 'intent'];

/**
 * Copies all sessions of a collection under new ids. Nothing is tokenized or embedded, and vectors become JSON once, so it takes
 * minutes where writing takes half an hour. Text and vectors are the same.
 * @param copies numbers of the copies, each unused
 */
export async function copyOnServer(place: Place, copies: number[]): Promise<void> {
  const filter = {
    must: [{ key: 'type', match: { any: TYPES } }],
    // Not the copies of an earlier call.
    must_not: [{ key: 'machine', match: { value: COPIED } }],
  };
  let offset: unknown = null;
  do {
    const asked = { filter, limit: PAGE, with_payload: true, with_vector: true, offset };
    const { points, next_page_offset } = (await send(
      place,
      'POST',
      'points/scroll',
      JSON.stringify(asked),
    )) as {
      points: StoredPoint[];
      next_page_offset: unknown;
    };
    const vectors = points.map(({ vector }) => JSON.stringify(vector));
    for (const copy of copies) {
      const texts = points.map((point, at) => {
        const { id, payload } = copyOf(point, copy);
        return `{"id":"${id}","payload":${JSON.stringify(payload)},"vector":${vectors[at]}}`;
      });
      await send(place, 'PUT', 'points?wait=true', `{"points":[${texts.join(',')}]}`);
    }
    offset = next_page_offset;
  } while (offset !== null && offset !== undefined);
}

const COPIED = 'copied';

function copyOf({ id, payload }: StoredPoint, copy: number): Pick<StoredPoint, 'id' | 'payload'> {
  const renamed = (uuid: string) => `${uuid.slice(0, 24)}${copy.toString(16).padStart(12, '0')}`;
  const session_id = renamed(payload.session_id);
  return {
    id: payload.type === 'session' ? pointId(session_id, 'session') : renamed(id),
    payload: { ...payload, session_id, machine: COPIED } as StoredPoint['payload'],
  };
}

async function send({ url, apiKey, collection }: Place, method: string, path: string, body: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (apiKey !== null) headers['api-key'] = apiKey;
  const response = await fetch(`${url}/collections/${collection}/${path}`, { method, headers, body });
  if (!response.ok) throw new Error(`the server answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { result: unknown }).result;
}
