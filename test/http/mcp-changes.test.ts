import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claudeLines } from '../support/machines/mcp-world.ts';
import { type Served, serveWorld } from '../support/machines/served-world.ts';

const SUNDIAL = 'eeeeeeee-1111-4222-8333-444444444444';
const WEIR = 'dddddddd-1111-4222-8333-444444444444';

let server: Served;

beforeAll(async () => {
  server = await serveWorld(['--no-worker']);
});

afterAll(async () => {
  await server.stop();
  server.world.remove();
});

it('answers a connected MCP client from the index that replaced the one it began with', async () => {
  const find = await connect();
  expect(await find('calibrate the sundial')).not.toContain(SUNDIAL);
  await replaceIndex(SUNDIAL, 'Calibrate the sundial in the rose garden');
  expect(await find('calibrate the sundial')).toContain(SUNDIAL);
});

it('answers a connected MCP client with the settings that other requests already have', async () => {
  const find = await connect();
  await server.world.run('config', 'set', 'search.learn_from_forks', 'false');
  await server.ask('/api/v1/stats');
  expect(await find('measure water at the weir')).not.toContain(WEIR);
  await replaceIndex(WEIR, 'Measure the water at the weir');
  await server.ask('/api/v1/stats');
  expect(await find('measure water at the weir')).toContain(WEIR);
});

async function replaceIndex(id: string, prompt: string): Promise<void> {
  const { world } = server;
  world.transcript(id, claudeLines(id, world.project, [{ user: prompt }, { assistant: 'Done.' }]));
  for (const end of ['', '-wal', '-shm'])
    rmSync(join(world.env.SMART_FORK_HOME ?? '', `index.db${end}`), { force: true });
  await world.run('index', '--no-embed');
}

/** Connects a client; the function returned prints what fork_detect answers. */
async function connect(): Promise<(intent: string) => Promise<string>> {
  const accept = { accept: 'application/json, text/event-stream' };
  const call = (method: string, params: object, headers: object) =>
    server.ask('/mcp', {
      headers: { ...accept, ...headers },
      body: { jsonrpc: '2.0', id: 1, method, params },
    });
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const { headers } = await call('initialize', hello, {});
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
  return async (intent) =>
    (await call('tools/call', { name: 'fork_detect', arguments: { intent } }, session)).text;
}
