import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEndpointModel } from '../../../src/adapters/extractor/endpoint-model.ts';
import {
  type LanguageModelDouble,
  startLanguageModelDouble,
} from '../../support/models/language-model-double.ts';

const REQUEST = { instructions: 'Find ideas.', text: 'USER: hello' };
const KEY = 'sk-only-for-this-server';

let server: LanguageModelDouble;
beforeAll(async () => {
  server = await startLanguageModelDouble(() => 'ok');
});
afterAll(() => server.close());

function model(timeoutMs?: number) {
  const more = timeoutMs === undefined ? {} : { timeoutMs };
  return createEndpointModel({ url: server.url, model: 'small', apiKey: KEY, ...more });
}

describe('a server with chat completions', () => {
  it('sends the key to a model server, and reports the tokens used', async () => {
    server.say = () => '{"ideas":[]}';
    expect(await model().ask(REQUEST)).toEqual({ text: '{"ideas":[]}', tokens: 1000 });
    expect(server.requests.at(-1)).toEqual({
      text: REQUEST.text,
      format: true,
      authorization: `Bearer ${KEY}`,
    });
  });

  it('stops sending response_format to a server that rejects it', async () => {
    const asked = model();
    const before = server.requests.length;
    server.say = () =>
      server.requests.at(-1)?.format ? { status: 400, body: 'response_format is not supported' } : 'ok';
    await asked.ask(REQUEST);
    await asked.ask(REQUEST);
    expect(server.requests.slice(before).map(({ format }) => format)).toEqual([true, false, false]);
  });

  it.each([
    ['status 429', () => ({ status: 429 }), 'it answered with status 429'],
    ['status 500', () => ({ status: 500, body: KEY }), 'it answered with status 500'],
    ['HTML', () => ({ status: 200, body: '<html>' }), 'its answer is not a chat completion'],
    ['100 MB', () => 'flood' as const, 'its answer is longer than 1 MB'],
    ['a redirection', () => ({ status: 307, location: 'http://127.0.0.1:9/' }), 'fetch failed'],
  ])('reports a server that answers with %s, without showing the key', async (_, say, reason) => {
    server.say = say;
    const error = await model().ask(REQUEST).catch(String);
    expect(error).toContain(reason);
    expect(error).not.toContain(KEY);
  });

  it.each([
    [400, "This model's maximum context length is 4096 tokens"],
    [413, ''],
    [422, ''],
  ])(
    'does not resend a text refused with status %i by a server that answered others',
    async (status, body) => {
      const asked = model();
      server.say = () => ({ status, body });
      await expect(asked.ask(REQUEST)).rejects.toThrow(`status ${status}`);
      server.say = () => 'ok';
      await asked.ask(REQUEST);
      server.say = () => ({ status, body });
      expect(await asked.ask(REQUEST)).toBeNull();
      server.say = () => ({ status: 400, body: 'Your credit balance is too low' });
      await expect(asked.ask(REQUEST)).rejects.toThrow('status 400');
    },
  );

  it('gives up on a model server that does not answer, and at once if aborted by the caller', async () => {
    server.say = () => 'hang';
    await expect(model(50).ask(REQUEST)).rejects.toThrow('no answer within 0.05 s');
    const stop = new AbortController();
    const asking = model().ask(REQUEST, stop.signal);
    stop.abort();
    await expect(asking).rejects.toThrow(/abort/i);
  });
});
