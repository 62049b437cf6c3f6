import { closeSync, createReadStream, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { BundleEntry, BundleFile, OpeningKey, SealingKey } from '../../ports/bundle/bundle-file.ts';
import { hasCode } from '../system/has-code.ts';
import { putNewFile } from '../system/replace-file.ts';
import { seal, open as unseal } from './age.ts';
import { packEntries, unpackEntries } from './tar.ts';

/** A gzipped tar archive, encrypted with age. */
export function createBundleFile(path: string): BundleFile {
  let first: string | null = null;
  /** A bundle is read twice. The file that was checked must be the one that is imported. */
  const refuseOther = () => {
    const { ino, size, mtimeMs } = statSync(path);
    const now = `${ino} ${size} ${mtimeMs}`;
    first ??= now;
    if (now !== first) throw damaged(path, 'it was replaced while being read');
  };
  return {
    path,
    checkFree: () => refuseExisting(path),
    write: (entries, key, signal) => write(path, entries, key, signal),
    kind: () => kindOf(path),
    async *read(key, signal) {
      kindOf(path);
      refuseOther();
      yield* read(path, key, signal);
    },
  };
}

async function write(
  path: string,
  entries: AsyncIterable<BundleEntry>,
  key: SealingKey,
  signal: AbortSignal,
): Promise<number> {
  refuseExisting(path);
  const aside = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const plain = packEntries(entries, createGzip());
    const sealed = await seal(Readable.toWeb(plain) as ReadableStream<Uint8Array>, key);
    // Created before anything can fail, so that the cleanup below always finds it.
    const file = await open(aside, 'wx', 0o600);
    await pipeline(Readable.fromWeb(sealed as never), file.createWriteStream({ flush: true }), { signal });
    putNewFile(aside, path);
    return statSync(path).size;
  } catch (error) {
    rmSync(aside, { force: true });
    if (hasCode(error, 'EEXIST')) refuseExisting(path);
    throw error instanceof SmartForkError || signal.aborted ? error : notWritten(path, error);
  }
}

const MAGIC = 'age-encryption.org/v1\n';

/** The second line of a file says whether it is sealed with a passphrase. */
function kindOf(path: string): 'passphrase' | 'key' {
  const head = readHead(path, 100);
  if (!head.startsWith(MAGIC)) throw noBundle(path, 'it is not encrypted with age');
  return head.startsWith('-> scrypt ', MAGIC.length) ? 'passphrase' : 'key';
}

function readHead(path: string, bytes: number): string {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(bytes);
      return buffer.toString('latin1', 0, readSync(file, buffer, 0, bytes, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: ${errorText(error)}`, {
      cause: error,
    });
  }
}

/** Compressed text rarely shrinks to a fiftieth. */
const MAX_EXPANSION = 100;
const ALWAYS_FINE = 64 * 1024 * 1024;

async function* read(path: string, key: OpeningKey, signal: AbortSignal): AsyncGenerator<BundleEntry> {
  const file = createReadStream(path, { signal });
  try {
    const opened = await unseal(Readable.toWeb(file) as ReadableStream<Uint8Array>, key, path).catch(
      (error) => {
        throw error instanceof SmartForkError ? error : damaged(path, error);
      },
    );
    const plain = Readable.from(authentic(opened, path), { objectMode: false });
    const limit = Math.max(ALWAYS_FINE, MAX_EXPANSION * statSync(path).size);
    const unzipped = plain.pipe(createGunzip());
    plain.on('error', (error) => unzipped.destroy(error));
    yield* unpackEntries(Readable.from(atMost(limit, unzipped, path), { objectMode: false }));
  } catch (error) {
    if (error instanceof SmartForkError || signal.aborted) throw error;
    throw noBundle(path, errorText(error), error);
  } finally {
    file.destroy();
  }
}

/** Reports failures of the seal. Later failures, in authentic bytes, concern the content. */
async function* authentic(opened: ReadableStream<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* opened as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw damaged(path, error);
  }
}

async function* atMost(
  limit: number,
  parts: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const part of parts) {
    seen += part.length;
    if (seen > limit) throw noBundle(path, `it unpacks to more than ${MAX_EXPANSION} times its size`);
    yield part;
  }
}

function refuseExisting(path: string): void {
  if (existsSync(path)) throw alreadyThere(path);
}

function alreadyThere(path: string): SmartForkError {
  return new SmartForkError('USAGE', `${path} already exists`, {
    hint: 'Choose another name, or delete it first.',
  });
}

function damaged(path: string, cause: unknown): SmartForkError {
  return new SmartForkError(
    'TRANSCRIPT_UNREADABLE',
    `${path} is damaged or incomplete: ${errorText(cause)}`,
    {
      hint: 'Nothing was imported. Copy the file again.',
      cause,
    },
  );
}

function noBundle(path: string, reason: string, cause?: unknown): SmartForkError {
  return new SmartForkError('USAGE', `${path} is not a smart-fork bundle: ${reason}`, {
    hint: 'Nothing was imported. smart-fork export --bundle FILE creates one.',
    cause,
  });
}

function notWritten(path: string, error: unknown): SmartForkError {
  // A dangling link passes the earlier check, but occupies the path.
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return alreadyThere(path);
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot write ${path}: ${errorText(error)}`, {
    hint: 'Check that the folder is writable and the disk is not full, then run the command again.',
    cause: error,
  });
}
