import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveWorld } from '../support/machines/served-world.ts';

let server: Served;

beforeAll(async () => {
  server = await serveWorld();
});

afterAll(async () => {
  await server.stop();
  server.world.remove();
});

const STATS = '/api/v1/stats';

describe('requests', () => {
  it.each([
    ['a length', 'content-length: 900000\r\n\r\n{'],
    ['parts', 'transfer-encoding: chunked\r\n\r\nFFFF\r\n{'],
  ])('logs nothing for a client that leaves before its body with %s is complete', async (_name, rest) => {
    const before = server.log();
    for (const path of ['/mcp', '/api/v1/search', '/chunks/search']) {
      const socket = connect(server.port, '127.0.0.1');
      await once(socket, 'connect');
      const head = `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${server.token}\r\n`;
      await new Promise((resolve) =>
        socket.write(`${head}content-type: application/json\r\n${rest}`, resolve),
      );
      await new Promise((resolve) => setTimeout(resolve, 200));
      socket.resetAndDestroy();
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.log()).toBe(before);
    expect((await server.ask(STATS)).status).toBe(200);
  });

  it('requires the token, or the cookie for which a code was exchanged', async () => {
    expect((await server.ask(STATS, { token: null })).status).toBe(401);
    expect((await server.ask(STATS, { token: 'x'.repeat(43) })).status).toBe(401);
    expect((await server.ask(STATS)).status).toBe(200);
    for (const path of ['/openapi.json', '/mcp', '/stats', '/api/v1/events', '/auth/code'])
      expect((await server.ask(path, { token: null })).status, path).toBe(401);
  });

  it('serves the page’s files without a token, and nothing but the page', async () => {
    const { json } = await server.ask('/api/v1/sessions?limit=1');
    const [{ session_id, title }] = json.sessions;
    for (const path of [`/sessions/${session_id}`, '/stats', '/chunks/search', '/sessions/abc']) {
      const answer = await server.ask(path, { token: null, headers: { accept: 'text/html' } });
      expect([path, answer.status, answer.headers['content-type']]).toEqual([
        ...[path, 200, 'text/html; charset=utf-8'],
      ]);
      expect(answer.text).not.toContain(title);
      expect((await server.ask(path, { token: null })).status).toBe(401);
    }
    const head = await server.ask('/stats', { method: 'HEAD', token: null });
    expect(head.status).toBe(401);
  });

  it('rejects requests for another host name (DNS rebinding)', async () => {
    for (const host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1', 'localhost:1']) {
      const answer = await server.ask(STATS, { headers: { host } });
      expect([host, answer.status, answer.json.code]).toEqual([host, 421, 'FOREIGN_HOST']);
      expect(answer.json.hint).toContain('the same port on both sides');
    }
    const own = await server.ask(STATS, { headers: { host: `localhost:${server.port}` } });
    expect(own.status).toBe(200);
  });

  it('rejects requests from a foreign origin, even with the token', async () => {
    const foreign = ['https://evil.example', 'null', `http://127.0.0.1:${server.port + 1}`];
    for (const origin of foreign) {
      const form = { origin, 'content-type': 'application/x-www-form-urlencoded' };
      const posted = await server.ask('/api/v1/search', { method: 'POST', headers: form, body: 'q=x' });
      expect([posted.status, posted.json.code]).toEqual([403, 'FOREIGN_ORIGIN']);
      expect((await server.ask(STATS, { headers: { origin } })).status).toBe(403);
      expect((await server.ask('/api/v1/events', { headers: { origin } })).status).toBe(403);
    }
    const own = await server.ask(STATS, { headers: { origin: server.url } });
    expect(own.status).toBe(200);
    expect(own.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('rejects requests that the browser attributes to another site, except links to the page', async () => {
    const site = (value: string, mode: string) => ({ 'sec-fetch-site': value, 'sec-fetch-mode': mode });
    expect((await server.ask(STATS, { headers: site('cross-site', 'no-cors') })).status).toBe(403);
    expect((await server.ask(STATS, { headers: site('same-site', 'navigate') })).status).toBe(403);
    expect((await server.ask(STATS, { headers: site('same-origin', 'cors') })).status).toBe(200);
    expect((await server.ask('/', { headers: site('cross-site', 'navigate') })).status).not.toBe(403);
  });

  it('never accepts the token in the URL', async () => {
    for (const name of ['token', 'access_token', 'key']) {
      const answer = await server.ask(`${STATS}?${name}=${server.token}`, { token: null });
      expect([answer.status, answer.json.code]).toEqual([400, 'TOKEN_IN_ADDRESS']);
    }
  });

  it('never serves a file outside the page’s folder', async () => {
    const paths = [
      '/../package.json',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/package.json',
      '/assets/../../package.json',
      '/....//package.json',
      '/assets/%00.js',
      '/\\..\\package.json',
      '//etc/passwd.txt',
    ];
    for (const path of paths) {
      const answer = await server.ask(path, { token: null });
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
      expect(answer.text).not.toContain('smart-fork"');
    }
  });
});

describe('answers', () => {
  it('forbids scripts, frames and connections from elsewhere', async () => {
    for (const path of ['/', STATS, '/nothing.js', '/api/v1/nothing']) {
      const { headers } = await server.ask(path);
      expect(headers['content-security-policy'], path).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      expect(headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    }
    expect((await server.ask(STATS)).headers['cache-control']).toBe('no-store');
  });
});

describe('the token', () => {
  it('stores the token in a file that only the owner can read', () => {
    const home = server.world.env.SMART_FORK_HOME ?? '';
    expect(statSync(join(home, 'serve-token')).mode & 0o777).toBe(0o600);
    expect(server.token.length).toBeGreaterThanOrEqual(43);
  });

  it('lets a browser in with a code instead of the token, for a single exchange', async () => {
    const { json } = await server.ask('/auth/code', { method: 'POST' });
    const exchange = (code: string) => server.ask('/auth/exchange', { body: { code }, token: null });
    const first = await exchange(json.code);
    expect(first.status).toBe(204);
    const [cookie = ''] = first.headers['set-cookie'] ?? [];
    expect(cookie).toMatch(/^smart_fork_\d+=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    const [pair = ''] = cookie.split(';');
    expect((await server.ask(STATS, { token: null, headers: { cookie: pair } })).status).toBe(200);
    const forged = `${pair}x`;
    expect((await server.ask(STATS, { token: null, headers: { cookie: forged } })).status).toBe(401);
    expect((await exchange(json.code)).status).toBe(401);
    expect((await exchange('a'.repeat(32))).status).toBe(401);
  });
});

describe('hostile clients', () => {
  it('rejects an upload of a gigabyte before it is read', async () => {
    const socket = await begin('POST /api/v1/search', JSON_BODY, 'Content-Length: 1073741824');
    expect(await firstLine(socket)).toBe('HTTP/1.1 413 Payload Too Large');
    socket.destroy();
  });

  it('limits a body by the normalized path, not by /mcp in the raw one', async () => {
    const socket = await begin('POST /mcp/../api/v1/search', JSON_BODY, 'Content-Length: 2097152');
    expect(await firstLine(socket)).toBe('HTTP/1.1 413 Payload Too Large');
    socket.destroy();
  });

  it('rejects an oversized upload of unannounced length', async () => {
    const socket = await begin('POST /api/v1/search', JSON_BODY, 'Transfer-Encoding: chunked');
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const answer = firstLine(socket);
    for (let sent = 0; sent < 64 && socket.writable; sent += 1) socket.write(chunk);
    expect(await answer).toBe('HTTP/1.1 413 Payload Too Large');
    socket.destroy();
  });

  it('rejects WebSockets', async () => {
    const socket = await begin(
      'GET /api/v1/events',
      'Origin: https://evil.example',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    );
    expect(await firstLine(socket)).toBe('HTTP/1.1 403 Forbidden');
    socket.destroy();
  });

  it('cannot take the events away from others by asking for their headers', async () => {
    for (let asked = 0; asked < 60; asked += 1)
      expect((await server.ask('/api/v1/events', { method: 'HEAD' })).status).toBe(200);
    const socket = await begin('GET /api/v1/events');
    expect(await firstLine(socket)).toBe('HTTP/1.1 200 OK');
    socket.destroy();
  });

  it('do not hold up others, however many and slow they are', async () => {
    const slow = await Promise.all(Array.from({ length: 500 }, open));
    let closed = 0;
    for (const socket of slow) {
      socket.on('error', () => undefined);
      socket.once('close', () => {
        closed += 1;
      });
      socket.resume();
      socket.write(`POST /api/v1/search HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Le`);
    }
    expect((await server.ask(STATS)).status).toBe(200);
    // The oldest make room at once; the others have ten seconds for their headers.
    await expect.poll(() => closed, { timeout: 50_000 }).toBeGreaterThanOrEqual(100);
    expect(closed).toBeLessThan(500);
    await expect.poll(() => closed, { timeout: 50_000 }).toBe(500);
  });
});

const JSON_BODY = 'Content-Type: application/json';

/** Sends the head of a request with the token, over a connection of its own. */
async function begin(request: string, ...headers: string[]): Promise<Socket> {
  const socket = await open();
  const known = [`Host: 127.0.0.1:${server.port}`, `Authorization: Bearer ${server.token}`];
  socket.write(`${[`${request} HTTP/1.1`, ...known, ...headers].join('\r\n')}\r\n\r\n`);
  return socket;
}

async function open(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

async function firstLine(socket: Socket): Promise<string> {
  socket.on('error', () => undefined);
  let text = '';
  for await (const part of socket) {
    text += part;
    if (text.includes('\r\n')) break;
  }
  return text.split('\r\n', 1)[0] ?? '';
}
