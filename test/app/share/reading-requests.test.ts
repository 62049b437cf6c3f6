import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { isRecord } from '../../../src/domain/is-record.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { loadConfig, OPERATIONS, openSmartFork, type SmartFork } from '../../../src/index.ts';
import { sharedWorld } from '../../support/machines/shared-world.ts';
import type { QdrantDouble, SeenRequest } from '../../support/qdrant/double/server.ts';
import { qdrantOptions, startCheckedDouble } from '../../support/qdrant/qdrant-place.ts';
import { changeOf, type Sample } from '../../support/transcripts/sample-sessions.ts';

/** More than any page of a scroll. */
const SESSIONS = 1200;
const ID = '00000000-0000-4000-8000-00000000000a';
const OTHER = '00000000-0000-4000-8000-00000000000b';
const COMMIT = '0f9e02bd4c1f8e6a7b5d3c2b1a09f8e7d6c5b4a3';

/** Every operation that reads, except those about this machine's files alone. */
const CALLS: Record<string, object[]> = {
  search: [
    { query: 'piston valve', facets: true },
    { query: 'piston in widgets last week', mode: 'hybrid' },
    { query: 'piston', repo: 'acme/widgets' },
    { query: 'piston', file: 'index.ts' },
    { query: 'piston', file: 'src/index.ts', literal: true },
    { query: 'src/index.ts 0f9e02b' },
    { query: '"piston and valve" -crank' },
    { query: 'sessions that failed' },
    { query: 'zyxw' },
    { query: 'piston', since: '2031-01-01' },
  ],
  passages: [{ query: 'piston valve' }],
  sessions: [{}, { limit: 200 }, { repo: 'widgets' }],
  session: [{ id: ID }],
  show: [{ id: ID }],
  html: [{ id: ID }],
  editedFiles: [{}],
  outline: [{ id: ID }],
  files: [{ id: ID }],
  retrieve: [{ ids: [ID], query: 'piston' }],
  context: [{ ids: [ID] }],
  compare: [{ id: ID, other: OTHER }],
  which: [{ commit: COMMIT }],
  recall: [{ query: 'piston valve' }, { query: 'open questions' }, { query: 'what failed with the piston' }],
  topics: [{}, { id: ID }],
  timeline: [{}, { query: 'piston' }],
  open: [{}],
  ideas: [{}, { query: 'piston' }],
  days: [{}],
  memoryStats: [{}],
  preflight: [{ id: ID }],
  forks: [{ id: ID }],
  suggestTags: [{ id: ID }],
  stats: [{}, { agent: 'claude' }],
  status: [{}],
};
/** They read this machine's files and index. */
const LOCAL = ['turns', 'history', 'diff', 'lost', 'blame', 'usage', 'doctor', 'settings', 'logins'];

let double: QdrantDouble;
let reader: SmartFork;
const refused: string[] = [];
const world = sharedWorld();

beforeAll(async () => {
  double = await startCheckedDouble();
  await fill(double);
  double.options.fault = (request) => {
    const problem = problemOf(request);
    if (problem !== null) refused.push(problem);
    return null;
  };
  const env = { ...world().env, QDRANT_URL: double.url, QDRANT_TIMEOUT_MS: '60000' };
  reader = await openSmartFork(await loadConfig(env));
}, 120_000);

afterAll(async () => {
  await reader.close();
  await double.close();
});

describe('what a search, a list or a page asks a server', { timeout: 120_000 }, () => {
  it('covers every operation that reads', () => {
    const reading = Object.entries(OPERATIONS).filter(([, { effect }]) => effect === 'reads');
    const names = reading.map(([name]) => name);
    expect(names.filter((name) => !(name in CALLS) && !LOCAL.includes(name))).toEqual([]);
  });

  it.each(Object.entries(CALLS))(
    '%s: no exact count of the collection, and no scroll without an end',
    async (name, inputs) => {
      const from = double.requests.length;
      for (const input of inputs) {
        refused.length = 0;
        const before = double.requests.length;
        await call(name, input);
        expect(refused, JSON.stringify(input)).toEqual([]);
        expect(furtherPages(double.requests.slice(before)), JSON.stringify(input)).toBeLessThanOrEqual(
          name === 'forks' ? 20 : 1,
        );
      }
      expect(double.requests.length).toBeGreaterThan(from);
    },
  );
});

async function call(name: string, input: object): Promise<void> {
  const method = reader[name as keyof SmartFork] as (given: object) => Promise<unknown>;
  await method(input);
}

/** Lists of 500 sessions that go on after others: a thousand sessions take one. */
function furtherPages(requests: SeenRequest[]): number {
  const isFurther = ({ path, body }: SeenRequest) =>
    path.endsWith('/scroll') && JSON.stringify(body).includes('"range":{"lt":');
  return requests.filter(isFurther).length;
}

/** Why a request may take time for every point of the collection; null if it does not. */
function problemOf({ path, body }: SeenRequest): string | null {
  const request = isRecord(body) ? body : {};
  if (/\/(?:facet|points\/count)$/.test(path) && request.exact === true)
    return `exact: ${JSON.stringify(body)}`;
  const isFollowing = typeof request.offset === 'string' || typeof request.offset === 'number';
  const isOfOne = /"key":"(?:session_id|session_ended_ms)","match":/.test(
    JSON.stringify(request.filter ?? {}),
  );
  if (path.endsWith('/scroll') && isFollowing && !isOfOne) return `a further page: ${JSON.stringify(body)}`;
  if (path.endsWith('/scroll') && !(Number(request.limit) <= 20_000)) return 'no limit';
  return null;
}

async function fill({ url, collections }: QdrantDouble): Promise<void> {
  const { model } = await modelOf(url);
  const store = openQdrantPointStore(qdrantOptions(url, { model }));
  const record = {
    files_touched: ['/home/sam/code/widgets/src/index.ts'],
    commits: [{ hash: COMMIT, subject: 'Turn the valve', at: '2026-05-01T10:00:00.000Z' }],
    repo_key: 'github.com/acme/widgets',
    repo_name: 'widgets',
  };
  const samples: Sample[] = [ID, OTHER].map((id) => ({
    id,
    chunks: ['piston and valve', 'crank'],
    intents: ['look at the piston'],
    record: record as Sample['record'],
  }));
  await store.write(samples.map((sample) => changeOf(sample)));
  await store.close();
  const collection = [...collections.values()][0];
  for (const type of ['session', 'chunk'] as const) {
    const id = type === 'session' ? pointId(ID, type) : pointId(ID, type, 0);
    const [point] = collection?.retrieve({ ids: [id], with_payload: true, with_vector: true }) ?? [];
    const points = Array.from({ length: SESSIONS }, (_, at) => {
      const session_id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
      const payload = { ...(point?.payload as object), session_id, session_ended_ms: 1_780_000_000_000 + at };
      return { ...point, id: pointId(session_id, type, 0), payload };
    });
    collection?.upsert({ points });
  }
}

async function modelOf(url: string): Promise<{ model: { id: string; dimensions: number } }> {
  const { knownModel } = await import('../../../src/domain/model/known-models.ts');
  const record = knownModel('nomic-ai/nomic-embed-text-v1.5');
  if (record === undefined) throw new Error(`no model for ${url}`);
  return { model: { id: record.id, dimensions: record.dimensions } };
}
