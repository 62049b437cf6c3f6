import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withDeadline } from '../../../src/adapters/http/with-deadline.ts';
import { openServer } from '../../../src/adapters/qdrant/http/server.ts';

describe('withDeadline', () => {
  it('returns the result of work that meets its deadline', async () => {
    await expect(withDeadline(1000, undefined, async () => 7)).resolves.toBe(7);
  });

  it('throws a TimeoutError if the work takes longer, and aborts the work', async () => {
    let seen: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      seen = signal;
      return new Promise<never>(() => undefined);
    };
    await expect(withDeadline(20, undefined, work)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(seen?.aborted).toBe(true);
  });

  it('throws the reason of the caller’s signal', async () => {
    const controller = new AbortController();
    const waiting = withDeadline(5000, controller.signal, () => new Promise<never>(() => undefined));
    controller.abort(new Error('the user left'));
    await expect(waiting).rejects.toThrow('the user left');
    await expect(withDeadline(5000, controller.signal, async () => 7)).rejects.toThrow('the user left');
  });

  it('accepts a deadline too long for a timer', async () => {
    await expect(withDeadline(Number.POSITIVE_INFINITY, undefined, async () => 7)).resolves.toBe(7);
  });
});

it('gives up on a silent server in time, even if memory is collected while it waits', async () => {
  const server = openServer({
    url: await silentServer(),
    apiKey: null,
    collection: 'sessions',
    timeouts: { read: 1500 },
    retries: NO_RETRIES,
  });
  const collecting = setInterval(collectGarbage, 50);
  onTestFinished(() => clearInterval(collecting));
  const started = performance.now();
  await expect(server.root()).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(performance.now() - started).toBeLessThan(10_000);
});

it('prints no warning when many requests wait', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => {
    process.off('warning', note);
  });
  const server = openServer({
    url: await silentServer(),
    apiKey: null,
    collection: 'sessions',
    timeouts: { read: 200 },
    retries: NO_RETRIES,
  });
  await Promise.allSettled(Array.from({ length: 30 }, () => server.root()));
  expect(warnings).toEqual([]);
});

const NO_RETRIES = { reads: 0, writes: 0, wait: 1, longestWait: 1, longestRetryAfter: 1 };

async function silentServer(): Promise<string> {
  const server = createServer((request) => request.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
