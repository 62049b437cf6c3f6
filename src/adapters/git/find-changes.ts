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
 * Compares the session's files with a commit. `git diff` would run the filters in the repository's configuration, so contents are
 * hashed here and compared with the commit's objects.
 * @param git runs in the top folder of the work tree
 */
export async function findChanges(
  git: Git,
  root: string,
  base: string,
  request: DriftRequest,
): Promise<Changes> {
  const { candidates, unknown } = chooseFiles(root, request);
  const files = candidates.slice(0, MAX_FILES);
  unknown.push(...namesOf(candidates.slice(MAX_FILES)));
  const paths = files.map(({ path }) => path);
  if (paths.length === 0) return { changed: [], unknown };
  const [before, staged, filtered] = await Promise.all([
    git('ls-tree', '-z', '--full-tree', base, '--', ...paths).then(readTree),
    git('ls-files', '-z', '--stage', '--', ...paths).then(readIndex),
    git('check-attr', '-z', ...REWRITING, '--', ...paths).then(readAttributes),
  ]);
  // Objects are missing, so nothing can be compared.
  if (before === null) return { changed: [], unknown: [...unknown, ...namesOf(files)] };
  // Without the attributes, any file may have a filter.
  const isFiltered = (path: string) => filtered?.has(path) ?? true;
  const hasChanged = ({ path, stat }: Candidate) => {
    const old = before.get(path);
    if (stat === undefined) return old !== undefined;
    return isFiltered(path) ? staged.get(path) !== old : !isBlob(join(root, path), stat, old);
  };
  const changed = files.filter(hasChanged);
  // A filter would have to run to tell whether its file differs from the index.
  const hidden = files.filter((file) => file.stat !== undefined && isFiltered(file.path));
  return {
    changed: namesOf(changed),
    unknown: [...unknown, ...namesOf(hidden.filter((file) => !changed.includes(file)))],
  };
}

/** Both as spelled in the request. */
interface Changes {
  changed: string[];
  /** Files written after the session that could not be compared. */
  unknown: string[];
}

function namesOf(files: Candidate[]): string[] {
  return files.map(({ given }) => given);
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

/**
 * The session's files that are missing, or were written after the session. Outside the repository, nothing tells what was in a file,
 * and a missing one was most likely temporary.
 */
function chooseFiles(
  root: string,
  { directory, files, time }: DriftRequest,
): { candidates: Candidate[]; unknown: string[] } {
  const ended = time === null ? null : Date.parse(time);
  const candidates: Candidate[] = [];
  const unknown: string[] = [];
  for (const given of files) {
    const path = relative(root, resolve(directory, given));
    if (path === '' || path.includes('\0')) continue;
    const stat = statOf(resolve(root, path));
    const isOwn = stat !== undefined && ended !== null && stat.mtimeMs <= ended + LEEWAY_MS;
    const isInside = path.split(sep)[0] !== '..' && !isAbsolute(path);
    if (isOwn) continue;
    if (isInside) candidates.push({ given, path: path.split(sep).join('/'), stat });
    else if (stat !== undefined) unknown.push(given);
  }
  return { candidates, unknown };
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
function readAttributes(listed: string | null): Set<string> | null {
  if (listed === null) return null;
  const fields = listed.split('\0');
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
