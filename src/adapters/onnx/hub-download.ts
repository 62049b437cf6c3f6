import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { SmartForkError } from '../../domain/errors.ts';
import { fileSize } from './hub-cache.ts';
import { HubAnswerError, isTransient, tooSlow } from './hub-errors.ts';

export interface Download {
  url: string;
  /** Final path of the verified file; `<target>.incomplete` until then. */
  target: string;
  size: number;
  /** The hub's hash of the content: SHA-256, or git's SHA-1 for files stored in git itself. */
  hash: { kind: 'sha256' | 'git-sha1'; hex: string };
}

interface DownloadOptions {
  fetch: typeof fetch;
  signal?: AbortSignal;
  /** Called with the bytes of this file downloaded so far. */
  onBytes(bytes: number): void;
  retryDelayMs: number;
}

/**
 * Downloads a file, resuming an interrupted download, even another process's. The hub's own library neither resumes nor verifies.
 */
export async function downloadFile(file: Download, options: DownloadOptions): Promise<void> {
  await mkdir(dirname(file.target), { recursive: true });
  const partial = `${file.target}.incomplete`;
  await fetchPersistently(file, partial, options);
  if ((await hashFile(partial, file)) !== file.hash.hex) {
    await rm(partial, { force: true });
    throw corrupt(file);
  }
  await rename(partial, file.target);
}

/** Consecutive failures without progress before giving up. */
const ATTEMPTS = 4;

async function fetchPersistently(file: Download, partial: string, options: DownloadOptions): Promise<void> {
  for (let failures = 0; ; ) {
    const before = (await fileSize(partial)) ?? 0;
    try {
      return await fetchRest(file, partial, options);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!isTransient(error)) throw error;
      failures = ((await fileSize(partial)) ?? 0) > before ? 1 : failures + 1;
      if (failures >= ATTEMPTS) throw error;
      await wait(options.retryDelayMs * failures, undefined, { signal: options.signal });
    }
  }
}

async function fetchRest(file: Download, partial: string, options: DownloadOptions): Promise<void> {
  const present = (await fileSize(partial)) ?? 0;
  options.onBytes(Math.min(present, file.size));
  if (present === file.size && present > 0) return;
  const from = present < file.size ? present : 0;
  const answer = await options.fetch(file.url, {
    headers:
      from > 0
        ? { 'accept-encoding': 'identity', range: `bytes=${from}-` }
        : { 'accept-encoding': 'identity' },
    signal: options.signal ?? null,
  });
  if (!answer.ok || answer.body === null) {
    await answer.body?.cancel();
    throw new HubAnswerError(file.url, answer.status);
  }
  // A server without support for ranges sends the whole file.
  const start = answer.status === 206 ? from : 0;
  const counted = countBytes(Readable.fromWeb(answer.body), start, file, options);
  await pipeline(counted, createWriteStream(partial, { flags: start > 0 ? 'a' : 'w' }), {
    signal: options.signal,
  });
}

/** A server that sends less than this for a minute is stuck: a file would take days. */
const SLOWEST = { bytes: 60_000, seconds: 60 };

async function* countBytes(
  body: AsyncIterable<Uint8Array>,
  start: number,
  file: Download,
  options: DownloadOptions,
): AsyncGenerator<Uint8Array> {
  let bytes = start;
  let since = { bytes, at: performance.now() };
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > file.size) break;
    yield piece;
    options.onBytes(bytes);
    if (performance.now() - since.at < SLOWEST.seconds * 1000) continue;
    if (bytes - since.bytes < SLOWEST.bytes) throw tooSlow(file.url, bytes - since.bytes, SLOWEST.seconds);
    since = { bytes, at: performance.now() };
  }
  if (bytes < file.size)
    throw Object.assign(new Error('the connection was interrupted'), { code: 'ECONNRESET' });
}

async function hashFile(path: string, { hash, size }: Download): Promise<string> {
  const digest = createHash(hash.kind === 'sha256' ? 'sha256' : 'sha1');
  if (hash.kind === 'git-sha1') digest.update(`blob ${size}\0`);
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}

function corrupt(file: Download): SmartForkError {
  const message = `the download from ${file.url} does not match the hub's size and hash (${file.size} bytes, ${file.hash.kind} ${file.hash.hex})`;
  return new SmartForkError('MODEL_UNAVAILABLE', message, {
    hint: 'The file was deleted. Try again; if it fails again, a proxy may be altering downloads.',
  });
}
