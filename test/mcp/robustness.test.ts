import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../support/campaign.ts';
import {
  CARDS,
  CLI,
  type Connection,
  claudeLines,
  createWorld,
  residentBytes,
  type World,
} from '../support/machines/mcp-world.ts';
import { writeTinyModel } from '../support/models/tiny-model.ts';

const INTENT = 'add real-time token usage cards to my dashboard';

const CALLS = rounds({ quick: 60, slow: 3000 });

let world: World;
let server: Connection;

beforeAll(async () => {
  world = createWorld();
  await world.run('index', '--no-embed');
  server = await world.connect();
}, 60_000);

afterAll(async () => {
  await server.close();
  world.remove();
});

/** Values that no field accepts. */
const WRONG: unknown[] = [null, { a: 1 }, Number.NaN, -1, 1e9, '', 'x'.repeat(9000), ['', 7], true];
const VALID: Record<string, Record<string, unknown>> = {
  fork_detect: { intent: INTENT },
  get_session_context: { session_id: CARDS },
  get_session: { session_id: CARDS },
  tag_session: { session_id: CARDS },
  find_lost: { session_id: CARDS },
  recall: { query: INTENT },
  remember: { kind: 'decision', content: 'Use cards' },
};

describe('invalid tool input', () => {
  it('rejects an invalid value in every field of every tool, naming the field', async () => {
    const { tools } = await server.client.listTools();
    let tried = 0;
    for (const { name, inputSchema } of tools) {
      for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
        const isBoolean = 'type' in schema && schema.type === 'boolean';
        // An empty query counts as absent.
        const harmless = isBoolean ? true : field === 'query' ? '' : undefined;
        for (const value of WRONG.filter((one) => one !== harmless)) {
          const answer = await server.call(name, { ...VALID[name], [field]: value });
          expect(answer.isError, `${name}.${field} = ${JSON.stringify(value)?.slice(0, 40)}`).toBe(true);
          expect(answer.error).toMatchObject({
            code: 'USAGE',
            message: expect.stringContaining(field),
            hint: expect.any(String),
          });
          tried += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(300);
  }, 60_000);

  it('rejects a missing, unknown or almost valid field', async () => {
    expect((await server.call('fork_detect')).error?.message).toContain('intent');
    expect((await server.call('get_session')).error?.message).toContain('session_id');
    expect((await server.call('fork_detect', { intent: 'a', colour: 'red' })).error?.message).toContain(
      'colour',
    );
    expect(
      (await server.call('fork_detect', { intent: 'a', since: 'a while ago' })).error?.message,
    ).toContain('not a time');
    expect(
      (await server.call('fork_detect', { intent: 'a', project_path: 'src/here' })).error?.message,
    ).toContain('absolute');
    expect((await server.call('list_sessions', { cursor: 'bm9wZQ' })).error?.message).toContain('cursor');
    expect(
      (await server.call('get_session_context', { session_id: CARDS, cursor: 'bm9wZQ' })).error?.message,
    ).toContain('cursor');
    expect(
      (await server.call('tag_session', { session_id: CARDS, add: ['two words'] })).error?.message,
    ).toContain('invalid tag');
    expect((await server.call('get_session', { session_id: 'zzzzzzzz' })).error?.code).toBe(
      'SESSION_NOT_FOUND',
    );
    expect((await server.call('index_session')).error).toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('session_id'),
    });
    expect((await server.call('index_session', { session_id: 'zzzzzzzz' })).error?.code).toBe(
      'SESSION_NOT_FOUND',
    );
    await expect(server.client.callTool({ name: 'rm_rf', arguments: {} })).rejects.toThrow(
      'there is no tool rm_rf',
    );
  });
});

describe('the server’s process', () => {
  it(`uses no more memory after ${CALLS} calls`, async () => {
    const round = async (count: number) => {
      for (let n = 0; n < count; n += 5) {
        await server.call('fork_detect', { intent: `${INTENT} ${n}` });
        await server.call('get_session_context', { session_id: CARDS, max_tokens: 2000 });
        await server.call('get_session', { session_id: CARDS });
        await server.call('list_sessions', { limit: 10 });
        await server.call('get_session', { session_id: 'zzzzzzzz' });
      }
    };
    // Memory rises in any case until the code is compiled and the heap has grown.
    await round(Math.max(200, CALLS));
    const before = residentBytes(server.pid);
    await round(CALLS);
    expect(residentBytes(server.pid) - before).toBeLessThan(40_000_000);
  }, 240_000);

  it('shares the store with a second server', async () => {
    const second = await world.connect();
    const calls = Array.from({ length: 20 }, (_, n) => {
      const at = n % 2 === 0 ? server : second;
      return n % 5 === 0
        ? at.call('tag_session', { session_id: CARDS, add: [`round-${n}`] })
        : at.call('fork_detect', { intent: INTENT });
    });
    const answers = await Promise.all(calls);
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    const { structured } = await second.call('get_session', { session_id: CARDS });
    expect(structured.tags.length).toBeGreaterThan(0);
    await second.close();
  });

  it('sees an index that was rebuilt while it runs', async () => {
    await server.call('session_stats');
    for (const end of ['', '-wal', '-shm'])
      rmSync(join(world.env.SMART_FORK_HOME ?? '', `index.db${end}`), { force: true });
    rmSync(join(world.env.SMART_FORK_HOME ?? '', 'state.db'), { force: true });
    await world.run('index', '--no-embed');
    await server.call('tag_session', { session_id: CARDS, add: ['anew'] });
    expect(await world.run('tag', CARDS)).toContain('#anew');
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])(
    'speaks protocol %s, and ends with its client',
    async (protocolVersion) => {
      const { answers, exitCode } = await converse([
        { id: 1, method: 'server/discover', params: {} },
        {
          id: 2,
          method: 'initialize',
          params: { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } },
        },
        { method: 'notifications/initialized' },
        'this is no message',
        { id: 3, method: 'tools/list' },
      ]);
      expect(answers.find(({ id }) => id === 1)?.error?.code).toBe(-32601);
      expect(answers.find(({ id }) => id === 2)?.result?.protocolVersion).toBe(protocolVersion);
      expect(answers.find(({ id }) => id === 3)?.result?.tools).toHaveLength(13);
      expect(exitCode).toBe(0);
    },
  );
});

interface RawAnswer {
  id?: number;
  error?: { code: number };
  result?: { protocolVersion?: string; tools?: unknown[] };
}

/** Sends lines to a new server, and closes its input after the last answer. */
function converse(messages: (object | string)[]): Promise<{ answers: RawAnswer[]; exitCode: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, 'mcp'], {
      env: world.env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const answers: RawAnswer[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      answers.push(JSON.parse(line) as RawAnswer);
      if (answers.length === 3) child.stdin.end();
    });
    child.on('close', (exitCode) => resolve({ answers, exitCode }));
    for (const message of messages) {
      child.stdin.write(
        `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
      );
    }
  });
}

describe('a long call', () => {
  it('reports a long call’s progress, stops when cancelled, and resumes from there', async () => {
    const id = 'eeeeeeee-1111-4222-8333-444444444444';
    const messages = Array.from({ length: 400 }, (_, n) => ({
      user: `Question ${n}: ${'where does the river go '.repeat(60)}`,
    }));
    world.transcript(id, claudeLines(id, world.project, messages));
    const model = join(world.folder, 'model');
    await writeTinyModel(model);
    const own = await world.connect({
      env: { SMART_FORK_MODEL_DIR: model, SMART_FORK_HOME: join(world.folder, 'other') },
    });
    const controller = new AbortController();
    const told: number[] = [];
    const call = own.client.callTool({ name: 'index_session', arguments: { session_id: id } }, undefined, {
      signal: controller.signal,
      onprogress: ({ progress }) => {
        told.push(progress);
        controller.abort();
      },
    });
    await expect(call).rejects.toThrow();
    expect(told).toHaveLength(1);
    const rest = await own.call('index_session', { session_id: id });
    expect(rest.structured).toMatchObject({ state: 'unchanged', found_by: 'words and meaning' });
    expect(rest.structured.embedded).toBeGreaterThan(0);
    await own.close();
  }, 60_000);
});

describe('lines that are no messages', () => {
  it.each([
    ['{oops', -32700],
    ['\0\0', -32700],
    ['[]', -32600],
    ['5', -32600],
    ['{"jsonrpc":"2.0","id":9,"method":5}', -32600],
    ['{"jsonrpc":"2.0","id":9,"method":"tools/call","params":"x"}', -32600],
    ['{"jsonrpc":"1.0","id":9,"method":"ping"}', -32600],
    ['['.repeat(100_000), -32700],
  ])('are answered, and so is the next message (%#)', async (line, code) => {
    const child = spawn(process.execPath, [CLI, 'mcp'], { env: world.env, stdio: ['pipe', 'pipe', 'pipe'] });
    let log = '';
    child.stderr.on('data', (part) => {
      log += part;
    });
    child.stdin.end(`${line}\n{"jsonrpc":"2.0","id":10,"method":"ping"}\n`);
    const answers: unknown[] = [];
    for await (const answer of createInterface(child.stdout)) answers.push(JSON.parse(answer));
    expect(answers).toEqual([
      { jsonrpc: '2.0', error: { code, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 10, result: {} },
    ]);
    expect(log).toBe('');
  });
});
