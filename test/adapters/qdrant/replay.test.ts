import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFact } from '../../support/files/shared-facts.ts';
import { type QdrantDouble, startQdrantDouble } from '../../support/qdrant/double/server.ts';
import { openApiCheck } from '../../support/qdrant/openapi.ts';

interface Exchange {
  name: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  request: unknown;
  status: number;
  response: unknown;
}

const recorded = readFact('qdrant-exchanges.jsonl');
const exchanges: Exchange[] = (recorded ?? '')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const check = openApiCheck();

/** Before this request, the recording server had no API keys. */
const FIRST_WITH_KEYS = 'no key';
const LAST_WITH_KEYS = 'healthz without key';
/**
 * A real server returns ties in the order of its heap. Fused ranks depend on that order, so the double is given the recorded
 * one.
 */
const TIES = [
  '4197f5d8-3381-587b-8463-9867c8997940',
  'e0517ffd-4cde-5b9b-8ae4-a60a91a23103',
  'b78f5766-11ec-56f9-8af3-ca654c22172a',
  'e4fbe62d-887b-5cde-8986-e6be781203d8',
];
/** Deliberately invalid. */
const UNFIT = new Set(['upsert bad id', 'malformed', 'null in vector', 'path prefix']);

describe.skipIf(recorded === null)(
  'the Qdrant double compared with recordings of a real server (skipped without them)',
  () => {
    let double: QdrantDouble;
    beforeAll(async () => {
      double = await startQdrantDouble({ tieOrder: TIES });
    });
    afterAll(() => double.close());

    it.each(exchanges.map((exchange) => [exchange.name, exchange] as const))(
      'answers like the recorded server: %s',
      async (name, exchange) => {
        if (name === FIRST_WITH_KEYS) double.options = { keys: { write: 'rw-key', read: 'ro-key' } };
        const response = await fetch(`${double.url}${exchange.path}`, {
          method: exchange.method,
          headers: { 'content-type': 'application/json', ...exchange.headers },
          body: exchange.request === null ? undefined : JSON.stringify(exchange.request),
        });
        if (name === LAST_WITH_KEYS) double.options = {};
        const text = await response.text();
        expect({ status: response.status, answer: comparable(parse(text)) }).toEqual({
          status: exchange.status,
          answer: comparable(exchange.response),
        });
      },
    );

    it.skipIf(check === null)('accepts every request that the recorded server accepted', () => {
      const found = exchanges.flatMap(({ name, method, path, request, status }) => {
        const problem = check?.({ method, path, body: request }) ?? null;
        return problem !== null && status < 400 ? [`${name}: ${problem}`] : [];
      });
      expect(found).toEqual([]);
    });

    it.skipIf(check === null)('rejects every request that the recorded server could not parse', () => {
      for (const { name, method, path, request } of exchanges.filter((one) => UNFIT.has(one.name))) {
        expect(check?.({ method, path, body: request }), name).not.toBeNull();
      }
      expect(
        check?.({ method: 'POST', path: '/collections/x/points/scroll', body: { with_vectors: true } }),
      ).not.toBeNull();
    });
  },
);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The answer without fields that differ between runs and without the order of equal scores. */
function comparable(answer: unknown): unknown {
  if (Array.isArray(answer)) return cutTies(answer.map(comparable));
  if (typeof answer === 'number') return Number(answer.toPrecision(5));
  if (typeof answer === 'string') return answer.replace(/^(Format error in JSON body:).*/, '$1');
  if (typeof answer !== 'object' || answer === null) return answer;
  const kept = Object.entries(answer).filter(
    ([key]) => !['time', 'version', 'commit', 'operation_id'].includes(key),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, comparable(value)]));
}

/**
 * Points of equal score, sorted by id. Points beyond the limit may share the last score, so points with that score are reduced to
 * the score.
 */
function cutTies(items: unknown[]): unknown[] {
  const scored = items.every(
    (item) => typeof item === 'object' && item !== null && 'score' in item && 'id' in item,
  );
  if (!scored || items.length < 2) return items;
  const points = items as { id: string; score: number }[];
  const last = points.at(-1)?.score;
  const tied = points.filter(({ score }) => score === last).length > 1;
  return points
    .map((point) => (tied && point.score === last ? { score: point.score } : point))
    .sort((a, b) => b.score - a.score || ('id' in a && 'id' in b && a.id < b.id ? -1 : 1));
}
