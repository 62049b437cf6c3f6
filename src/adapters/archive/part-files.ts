import { statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { ArchivedPart } from '../../ports/session-archive.ts';
import { readRegular } from '../system/regular-file.ts';
import { compressPart, decompressPart, digestOf } from './compress-part.ts';
import { partName } from './manifest.ts';

/** Compresses and writes a part; returns its size on disk. */
export async function writePart(path: string, raw: Uint8Array): Promise<number> {
  const bytes = await compressPart(raw);
  await writeDurably(path, bytes);
  return bytes.length;
}

/** @throws SmartForkError TRANSCRIPT_UNREADABLE for a part that is missing or does not match its digest */
export async function readPart(path: string, part: ArchivedPart): Promise<Buffer> {
  let raw: Buffer;
  try {
    raw = await decompressPart(readRegular(path), part.bytes);
  } catch (error) {
    throw damaged(path, errorText(error), error);
  }
  if (raw.length !== part.bytes || digestOf(raw) !== part.digest) {
    throw damaged(path, 'its digest does not match');
  }
  return raw;
}

/** Names of the parts whose files exist and have the right size. Reads no part. */
export function wholeParts(folder: string, parts: { digest: string; storedBytes: number }[]): Set<string> {
  const names = parts.map(({ digest }, index) => partName(index, digest));
  return new Set(names.filter((name, index) => sizeOf(join(folder, name)) === parts[index]?.storedBytes));
}

function sizeOf(path: string): number | null {
  try {
    return statSync(path).size;
  } catch {
    // Reading the part reports the error.
    return null;
  }
}

/** Writes a temporary file, syncs it and renames it: the file is complete or absent, even after a power failure. */
export async function writeDurably(path: string, bytes: Uint8Array | string): Promise<void> {
  const aside = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(aside, 'w', 0o600);
    try {
      await file.writeFile(bytes);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}

export function damaged(path: string, reason: string, cause?: unknown): SmartForkError {
  const message = `the archive is damaged: ${path}: ${reason}`;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', message, {
    hint: `If the transcript still exists, delete ${join(path, '..')} and run smart-fork index to archive it again.`,
    cause,
  });
}
