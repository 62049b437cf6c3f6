import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../support/machines/mcp-world.ts';
import { type RunningServer, startServe } from '../support/machines/start-serve.ts';

let world: World;
let server: RunningServer;

beforeAll(async () => {
  world = createWorld({ samples: false });
  server = await startServe({ env: world.env, cwd: world.project }, '--no-worker');
});

afterAll(async () => {
  await server?.stop();
  world?.remove();
});

async function ask(path: string) {
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await fetch(server.url + path, { headers });
  return { status: response.status, json: await response.json() };
}

it('answers with zeros and empty lists while nothing is indexed', async () => {
  for (const path of ['/stats', '/api/v1/stats']) {
    const { status, json } = await ask(path);
    expect([path, status]).toEqual([path, 200]);
    expect(json).toMatchObject({ sessions: 0, chunks: 0, by_repo: [], by_agent: [], last_synced: null });
  }
  expect((await ask('/api/v1/sessions')).json).toMatchObject({ sessions: [], cursor: null });
  expect((await ask('/api/v1/search?q=anything&facets=1')).json).toMatchObject({ results: [] });
  expect((await ask('/api/v1/days')).json).toMatchObject({ days: [], left: 0 });
  expect((await ask('/api/v1/files')).json).toMatchObject({ files: [], left: 0 });
  expect((await ask('/api/v1/ideas')).json).toMatchObject({ ideas: [] });
  expect((await ask('/api/v1/usage')).json).toMatchObject({
    totals: { sessions: 0, requests: 0 },
    by_hour: [],
  });
});
