import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DriftRequest } from '../../ports/machine.ts';
import type { Git } from './run-git.ts';

/** A file written within a minute of the session's last line counts as the session's own change. */
const LEEWAY_MS = 60_000;
/** Larger files are not compared: they count as changed if they were written later. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 1000;

/**
 * The session's files that differ from a commit. `git diff` would run the filters in the repository's configuration, so contents
 * are hashed here and compared with the commit's objects.
 * @param git runs in the top folder of the work tree
 */
export async function findChanges(
  git: Git,
  root: string,
  base: string,
  request: DriftRequest,
): Promise<string[]> {
  const files = candidates(root, request);
  const paths = files.map(({ path }) => path);
  if (paths.length === 0) return [];
  const [before, staged, filtered] = await Promise.all([
    git('ls-tree', '-z', '--full-tree', base, '--', ...paths).then(readTree),
    git('ls-files', '-z', '--stage', '--', ...paths).then(readIndex),
    git('check-attr', '-z', ...REWRITING, '--', ...paths).then(readAttributes),
  ]);
  // Objects are missing, so nothing can be compared.
  if (before === null) return [];
  return files
    .filter(({ path, stat }) => {
      const old = before.get(path);
      if (stat === undefined) return old !== undefined;
      // A filter's result is known only from the index.
      return filtered.has(path) ? staged.get(path) !== old : !isBlob(join(root, path), stat, old);
    })
    .map(({ given }) => given);
}

/** Attributes that make a file differ from its object. */
const REWRITING = ['filter', 'ident', 'working-tree-encoding'];

interface Candidate {
  /** The path as given by the session. */
  given: string;
  /** The path as git names it: relative to the top folder, with slashes. */
  path: string;
  stat: Stats | undefined;
}

/** The session's files in the repository that are missing, or were written after the session. */
function candidates(root: string, { directory, files, time }: DriftRequest): Candidate[] {
  const ended = time === null ? null : Date.parse(time);
  return files
    .flatMap((given) => {
      const path = relative(root, resolve(directory, given));
      if (path === '' || path.startsWith('..') || isAbsolute(path) || path.includes('\0')) return [];
      const stat = statOf(resolve(root, path));
      const isOwn = stat !== undefined && ended !== null && stat.mtimeMs <= ended + LEEWAY_MS;
      return isOwn ? [] : [{ given, path: path.split(sep).join('/'), stat }];
    })
    .slice(0, MAX_FILES);
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A part of the path is a file, or is inaccessible.
    return undefined;
  }
}

/** Object ids by path. */
function readTree(listed: string | null): Map<string, string> | null {
  return listed === null ? null : entries(listed, /^\d+ blob ([0-9a-f]+)\t(.*)$/s);
}

function readIndex(listed: string | null): Map<string, string> {
  return entries(listed ?? '', /^\d+ ([0-9a-f]+) 0\t(.*)$/s);
}

function entries(listed: string, pattern: RegExp): Map<string, string> {
  const found = listed.split('\0').flatMap((entry): [string, string][] => {
    const [, id, path] = pattern.exec(entry) ?? [];
    return id === undefined || path === undefined ? [] : [[path, id]];
  });
  return new Map(found);
}

/** The paths with one of these attributes, from a list of path, attribute and value. */
function readAttributes(listed: string | null): Set<string> {
  const fields = (listed ?? '').split('\0');
  return new Set(fields.filter((_, at) => at % 3 === 0 && !UNSET.has(fields[at + 2] ?? 'unset')));
}

const UNSET = new Set(['unspecified', 'unset']);

/** Whether a file has the contents of an object, with either kind of line ending. */
function isBlob(path: string, stat: Stats, id: string | undefined): boolean {
  if (id === undefined) return false;
  try {
    if (stat.isSymbolicLink()) return blobId(readlinkSync(path, 'buffer'), id) === id;
    if (!stat.isFile() || stat.size > MAX_BYTES) return false;
    const content = readFileSync(path);
    return blobId(content, id) === id || blobId(withoutCarriageReturns(content), id) === id;
  } catch {
    // The file has disappeared, or is unreadable.
    return false;
  }
}

/** git's id for some contents, computed with the same algorithm as another id. */
function blobId(content: Buffer, like: string): string {
  const hash = createHash(like.length === SHA256_DIGITS ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}

const SHA256_DIGITS = 64;

function withoutCarriageReturns(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}
