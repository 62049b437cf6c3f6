import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverAddress } from '../../../src/adapters/qdrant/http/server-address.ts';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { listSettings } from '../../../src/config/list-settings.ts';
import type { QdrantDouble } from '../../support/qdrant/double/server.ts';
import { qdrantOptions, startCheckedDouble } from '../../support/qdrant/qdrant-place.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import { changeOf, tokensOf } from '../../support/transcripts/sample-sessions.ts';

const WRITE_KEY = 'wk-3f9a51c07d';
const READ_KEY = 'rk-77be02d41e';
const LIMITS = { sessions: 20, chunks: 20, intents: 20 };

/** Everything that an error shows to the user. */
function everythingIn(error: unknown): string {
  const parts: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) {
    parts.push(one.message, one.stack ?? '', JSON.stringify(one, Object.getOwnPropertyNames(one)));
  }
  return parts.join('\n');
}

describe('the Qdrant API key', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  const open = (apiKey: string | null) =>
    openQdrantPointStore(qdrantOptions(double.url, { apiKey, retries: { wait: 1 } }));
  beforeEach(async () => {
    double = await startCheckedDouble({ keys: { write: WRITE_KEY, read: READ_KEY } });
  });
  afterEach(() => double.close());

  it('accepts an API key surrounded by white space', async () => {
    const store = open(` ${WRITE_KEY}\n`);
    expect(await store.write([changeOf({ id: 's', chunks: ['words'] })])).toEqual({ conflicts: [] });
    await store.close();
  });

  it.each([null, 'wrong-key-5d1c'])(
    'reports at once that the key %s was refused, without showing it',
    async (apiKey) => {
      const output = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const store = open(apiKey);
      const error = await store.info().catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('rejects the API key'),
      });
      expect(everythingIn(error)).not.toContain('wrong-key-5d1c');
      expect(output).not.toHaveBeenCalled();
      output.mockRestore();
      await store.close();
    },
  );

  it('hides keys and logins in the settings', async () => {
    for (const login of ['ada:hidden@', 'hidden@', 'ada:hidden@hidden@']) {
      const QDRANT_URL = `https://${login}acme.io:443/qdrant?api-key=hidden`;
      const config = await loadConfig({ HOME: '/nowhere', QDRANT_URL, QDRANT_API_KEY: 'hidden' });
      const shown = Object.fromEntries(listSettings(config).map(({ key, value }) => [key, value]));
      expect(shown['qdrant.url']).toBe('https://********@acme.io:443/qdrant?********');
      expect(shown['qdrant.api_key']).toBe('********');
    }
  });

  it('rejects a malformed API key without showing it', () => {
    for (const apiKey of ['two words', 'quoted\u0007', 'ключ-7f']) {
      const error = (() => {
        try {
          return open(apiKey);
        } catch (reason) {
          return reason;
        }
      })();
      expect(error).toMatchObject({ code: 'CONFIG_INVALID', hint: expect.any(String) });
      expect(everythingIn(error)).not.toContain(apiKey);
    }
  });

  it('keeps the API key out of every error', async () => {
    const store = open(WRITE_KEY);
    await store.write([changeOf({ id: 's', chunks: ['words'] })]);
    for (const fault of [{ answer: 500 }, { cut: 'before' as const }, { answer: 418 }, { answer: 200 }]) {
      double.options.fault = () => fault;
      for (const ask of [() => store.list({}, 1), () => store.deleteSessions(['s'])]) {
        expect(everythingIn(await ask().catch((reason: unknown) => reason))).not.toContain(WRITE_KEY);
      }
    }
    await store.close();
  });

  it('hides an API key that the server repeats in its answer', async () => {
    const store = open(WRITE_KEY);
    await store.info();
    for (const answer of [400, 403, 404, 500]) {
      double.options.fault = () => ({ answer, error: `what is ${WRITE_KEY}?` });
      const error = await store.list({}, 1).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(everythingIn(error)).not.toContain(WRITE_KEY);
    }
    await store.close();
  });

  it.each([301, 302, 303, 307, 308])(
    'sends neither key nor texts to the target of a redirect (%i)',
    async (answer) => {
      const stranger = await startCheckedDouble();
      const store = open(WRITE_KEY);
      await store.info();
      const location = `${stranger.url.replace('//', '//me:hidden-login@')}/collections?key=hidden-too`;
      double.options.fault = () => ({ answer, headers: { location } });
      for (const ask of [
        () => store.list({}, 1),
        () => store.write([changeOf({ id: 's', chunks: ['words'] })]),
      ]) {
        const error = await ask().catch((reason: unknown) => reason);
        expect(error).toMatchObject({
          code: 'STORE_UNAVAILABLE',
          message: `${double.url} redirects to ${stranger.url}: nothing was sent there`,
          hint: expect.stringContaining('QDRANT_URL'),
        });
        expect(everythingIn(error)).not.toContain('hidden');
      }
      expect(stranger.requests).toEqual([]);
      await store.close();
      await stranger.close();
    },
  );

  it('reads with a read-only API key, and names it as the reason when a write is refused', async () => {
    const writer = open(WRITE_KEY);
    await writer.write([changeOf({ id: 's', chunks: ['needle words'], intents: ['ask'] })]);
    const reader = open(READ_KEY);
    const lists = await searchLists(reader, {
      tokens: tokensOf('needle'),
      vector: null,
      filter: {},
      limits: LIMITS,
    });
    expect(lists.sessionsByWords).toHaveLength(1);
    expect(await reader.getChunks('s')).toHaveLength(1);
    expect((await reader.info()).storeId).toBe((await writer.info()).storeId);
    for (const ask of [
      () => reader.write([changeOf({ id: 't', chunks: ['x'] })]),
      () => reader.setTags('s', ['x']),
      () => reader.deleteSessions(['s']),
    ]) {
      await expect(ask()).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('is read-only'),
        hint: expect.stringContaining('QDRANT_API_KEY'),
      });
    }
    expect(await reader.count()).toMatchObject({ sessions: 1, chunks: 1 });
    await reader.close();
    await writer.close();
  });

  it('reports that a read-only API key cannot create a collection', async () => {
    const reader = open(READ_KEY);
    await expect(reader.list({}, 1)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/no collection claude_sessions .* may not create one/),
    });
    await reader.close();
  });
});

describe('the Qdrant URL', { timeout: 60_000 }, () => {
  it.each([
    ['https://abc.cloud.qdrant.io', 'https://abc.cloud.qdrant.io:6333'],
    ['https://abc.cloud.qdrant.io:6333/', 'https://abc.cloud.qdrant.io:6333'],
    ['http://127.0.0.1:6333', 'http://127.0.0.1:6333'],
    ['http://localhost', 'http://localhost:6333'],
    ['https://host:443', 'https://host'],
    ['https://host/qdrant/', 'https://host/qdrant'],
    ['http://host:8080/a/b', 'http://host:8080/a/b'],
    ['http://[::1]:6333', 'http://[::1]:6333'],
    ['https://user:secret@host', 'https://host:6333'],
  ])('sends requests for %s to %s', (url, base) => {
    expect(serverAddress(url)).toBe(base);
  });

  it.each(['', 'localhost:6333', 'ftp://host', 'host'])('rejects the Qdrant URL %j', (url) => {
    expect(() => serverAddress(url)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
