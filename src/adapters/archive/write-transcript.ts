import { type Dirent, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameMark, markOf } from '../../domain/agent/change-mark.ts';
import { transcriptHash } from '../../domain/point/session-points.ts';
import { PART_BYTES, type SaveResult } from '../../ports/session-archive.ts';
import type { TranscriptFile } from '../../ports/transcript-source.ts';
import { hasCode } from '../system/has-code.ts';
import { makeFolder } from '../system/make-folder.ts';
import { readRegularText } from '../system/regular-file.ts';
import { digestOf } from './compress-part.ts';
import { MANIFEST } from './folder-name.ts';
import { type Manifest, partName, readManifest, writeManifest } from './manifest.ts';
import { readPart, wholeParts, writeDurably, writePart } from './part-files.ts';

type ReadFrom = (from: number) => Iterable<Uint8Array>;
type Part = Manifest['parts'][number];

/**
 * Archives a transcript: writes new parts, then the manifest, which commits them, then deletes parts that the manifest no longer
 * names. The caller holds the lease.
 */
export async function writeTranscript(
  folder: string,
  transcript: TranscriptFile,
  readFrom: ReadFrom,
): Promise<SaveResult> {
  const old = readOld(folder, transcript.sessionId);
  const there = wholeParts(folder, old?.parts ?? []);
  const isWhole = there.size === old?.parts.length;
  if (old !== null && isWhole && isSame(old.source, transcript)) {
    await deleteOthers(folder, old);
    return result('unchanged', old, 0);
  }
  makeFolder(folder);
  const job = { folder, old, there, written: 0 };
  const parts = (await appended(job, transcript, readFrom)) ?? (await wholly(job, readFrom));
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const source = { path: transcript.path, ...markOf(transcript) };
  const isCut = old !== null && isWhole && bytes < old.bytes && (await isBeginning(folder, parts, old));
  const manifest: Manifest = isCut
    ? { ...old, source }
    : {
        sessionId: transcript.sessionId,
        agent: transcript.agent,
        bytes,
        contentHash: transcriptHash(parts.map(({ digest }) => digest)),
        source,
        parts,
      };
  await writeDurably(join(folder, MANIFEST), writeManifest(manifest));
  await deleteOthers(folder, manifest);
  const isSameText = manifest.contentHash === old?.contentHash && isWhole;
  return result(isSameText ? 'unchanged' : 'saved', manifest, job.written);
}

interface Job {
  folder: string;
  old: Manifest | null;
  /** Old parts that can be reused; a missing or truncated part is written again. */
  there: Set<string>;
  written: number;
}

/** An unreadable manifest is replaced. */
function readOld(folder: string, sessionId: string): Manifest | null {
  try {
    const manifest = readManifest(readRegularText(join(folder, MANIFEST)));
    return manifest?.sessionId === sessionId ? manifest : null;
  } catch {
    // Missing or unreadable: writing the transcript again repairs it.
    return null;
  }
}

function isSame(a: Manifest['source'], b: Manifest['source']): boolean {
  return a.path === b.path && isSameMark(a, b);
}

/** Reads only from the last archived part on. Null if it is another file, no longer contains that part, or is in a database, where all may change. */
async function appended(job: Job, transcript: TranscriptFile, readFrom: ReadFrom): Promise<Part[] | null> {
  const { old } = job;
  const last = old?.parts.at(-1);
  if (old === null || last === undefined) return null;
  const isFile = transcript.inode !== 0;
  if (!isFile || old.source.path !== transcript.path || old.source.inode !== transcript.inode) return null;
  const known = old.parts.slice(0, -1);
  if (!known.every(({ digest }, index) => job.there.has(partName(index, digest)))) return null;
  const parts: Part[] = [...known];
  for (const raw of readFrom(known.length)) {
    const isFirst = parts.length === known.length;
    if (isFirst && digestOf(raw.subarray(0, last.bytes)) !== last.digest) return null;
    parts.push(await addPart(job, parts.length, raw));
  }
  return parts.length > known.length ? parts : null;
}

async function wholly(job: Job, readFrom: ReadFrom): Promise<Part[]> {
  const parts: Part[] = [];
  for (const raw of readFrom(0)) parts.push(await addPart(job, parts.length, raw));
  return parts;
}

async function addPart(job: Job, index: number, raw: Uint8Array): Promise<Part> {
  const digest = digestOf(raw);
  const known = job.old?.parts[index];
  const name = partName(index, digest);
  if (known?.digest === digest && job.there.has(name)) return known;
  job.written += 1;
  const storedBytes = await writePart(join(job.folder, name), raw);
  return { digest, bytes: raw.length, storedBytes };
}

/** Whether the parts are a prefix of the archived ones: the transcript was truncated, and the archive has more. */
async function isBeginning(folder: string, parts: Part[], old: Manifest): Promise<boolean> {
  const last = parts.at(-1);
  if (last === undefined) return true;
  const whole = last.bytes === PART_BYTES ? parts : parts.slice(0, -1);
  if (!whole.every(({ digest }, index) => old.parts[index]?.digest === digest)) return false;
  const archived = old.parts[parts.length - 1];
  if (whole.length === parts.length || archived === undefined) return archived !== undefined;
  const path = join(folder, partName(parts.length - 1, archived.digest));
  try {
    return digestOf((await readPart(path, archived)).subarray(0, last.bytes)) === last.digest;
  } catch {
    // The transcript replaces a damaged part.
    return false;
  }
}

/** Deletes superseded parts, and temporary files of a killed process. */
async function deleteOthers(folder: string, manifest: Manifest): Promise<void> {
  for (const name of leftoversIn(folder, manifest)) await rm(join(folder, name), { force: true });
}

/** Files that a killed process left next to a copy. Folders belong to other programs, such as a NAS. */
export function leftoversIn(folder: string, manifest: Manifest): string[] {
  const named = new Set([MANIFEST, ...manifest.parts.map(({ digest }, index) => partName(index, digest))]);
  const files = entriesOf(folder).filter((entry) => !entry.isDirectory());
  return files.map(({ name }) => name).filter((name) => !named.has(name));
}

/** Another process may be removing the session. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function result(kind: SaveResult['kind'], { parts }: Manifest, writtenParts: number): SaveResult {
  return { kind, writtenParts, storedBytes: parts.reduce((sum, part) => sum + part.storedBytes, 0) };
}
