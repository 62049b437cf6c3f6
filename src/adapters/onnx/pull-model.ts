import { mkdir, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SmartForkError } from '../../domain/errors.ts';
import { graphPaths } from '../../domain/model/known-models.ts';
import { readLimited } from '../http/read-limited.ts';
import { withDeadline } from '../http/with-deadline.ts';
import { fileSize, linkBlob, repoFolder } from './hub-cache.ts';
import { type Download, downloadFile } from './hub-download.ts';
import { answerTooLong, describePullError, diskFull } from './hub-errors.ts';
import { MODEL_FILES, REQUIRED_FILES } from './model-files.ts';

export interface PullOptions {
  /** `owner/name` on the hub. */
  id: string;
  /** The graph to download; by default the smallest of the usual ones. */
  file?: string;
  /** The hub's cache, shared with other tools. */
  cacheDir: string;
  hubUrl?: string;
  signal?: AbortSignal;
  onProgress?: (progress: PullProgress) => void;
  fetch?: typeof fetch;
  retryDelayMs?: number;
}

/** Bytes of all the model's files together. Files already in the cache count as done. */
export interface PullProgress {
  bytes: number;
  total: number;
}

/**
 * Downloads a model from the hub into the cache and returns its folder. Keeps existing files, resumes partial ones, and verifies
 * size and hash before a file gets its final name.
 * @throws SmartForkError MODEL_UNAVAILABLE, or the signal's reason
 */
export async function pullModel(options: PullOptions): Promise<string> {
  const { id, cacheDir } = options;
  const hubUrl = (options.hubUrl ?? 'https://huggingface.co').replace(/(?<!\/)\/+$/, '');
  try {
    options.signal?.throwIfAborted();
    const { commit, files } = await askHub({ ...options, hubUrl });
    await fetchFiles(files, options);
    await writeMainRef(cacheDir, id, commit);
    return join(repoFolder(cacheDir, id), 'snapshots', commit);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw describePullError(error, id, hubUrl, cacheDir);
  }
}

interface ModelFile extends Download {
  /** Path in the snapshot that links to it. */
  pointer: string;
}

/** Limits for an answer with metadata. */
const ANSWER_MS = 30_000;
const ANSWER_BYTES = 4 * 1024 * 1024;

async function askHub(
  options: PullOptions & { hubUrl: string },
): Promise<{ commit: string; files: ModelFile[] }> {
  const { modelInfo, pathsInfo } = await import('@huggingface/hub');
  const { id, hubUrl, signal } = options;
  const ask: typeof fetch = (input, init) =>
    withDeadline(ANSWER_MS, signal, async (within) => {
      const answer = await (options.fetch ?? fetch)(input, { ...init, signal: within });
      const { bytes, isWhole } = await readLimited(answer.body, ANSWER_BYTES);
      if (!isWhole) throw answerTooLong(id, hubUrl, ANSWER_BYTES);
      return new Response(answer.body === null ? null : new Uint8Array(bytes), answer);
    });
  const { sha } = await modelInfo({
    name: id,
    hubUrl,
    revision: 'main',
    additionalFields: ['sha'],
    fetch: ask,
  });
  const commit = checkHex(sha, 40, id);
  const paths = [...graphPaths(options.file), ...MODEL_FILES];
  paths.push(...graphPaths(options.file).map((path) => `${path}_data`));
  const known = await pathsInfo({ repo: id, hubUrl, revision: commit, paths, fetch: ask });
  const files = chooseFiles(new Set(known.map((entry) => entry.path)), options);
  return {
    commit,
    files: known
      .filter((entry) => files.includes(entry.path))
      .map((entry) => describeFile(entry, commit, options)),
  };
}

/** One graph, its external weights if any, and the tokenizer's files. */
function chooseFiles(present: Set<string>, { id, file }: PullOptions): string[] {
  const graph = graphPaths(file).find((path) => present.has(path));
  const missing = REQUIRED_FILES.filter((path) => !present.has(path));
  if (graph === undefined || missing.length > 0) {
    const lacks = [...missing, ...(graph === undefined ? ['an ONNX graph'] : [])].join(' and ');
    throw new SmartForkError(
      'MODEL_UNAVAILABLE',
      `cannot use the model ${id}: its repository lacks ${lacks}`,
      {
        hint: `Choose a model that has ${graphPaths().join(' or ')}.`,
      },
    );
  }
  return [graph, `${graph}_data`, ...MODEL_FILES];
}

interface HubEntry {
  path: string;
  size: number;
  oid?: string;
  lfs?: { oid: string; size: number };
}

function describeFile(entry: HubEntry, commit: string, options: PullOptions & { hubUrl: string }): ModelFile {
  const { id, cacheDir, hubUrl } = options;
  const repo = repoFolder(cacheDir, id);
  const hash = entry.lfs
    ? { kind: 'sha256' as const, hex: checkHex(entry.lfs.oid, 64, id) }
    : { kind: 'git-sha1' as const, hex: checkHex(entry.oid, 40, id) };
  return {
    url: `${hubUrl}/${id}/resolve/${commit}/${entry.path}`,
    size: entry.lfs?.size ?? entry.size,
    hash,
    target: join(repo, 'blobs', hash.hex),
    pointer: join(repo, 'snapshots', commit, entry.path),
  };
}

/** Validates a hash, which becomes a file name. */
function checkHex(text: string | undefined, length: number, id: string): string {
  if (text?.length === length && /^[0-9a-f]+$/.test(text)) return text;
  throw new Error(`the hub's answer about ${id} has "${text}" instead of a hash`);
}

async function fetchFiles(files: ModelFile[], options: PullOptions): Promise<void> {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const done = await Promise.all(files.map(async (file) => ((await isComplete(file)) ? file.size : 0)));
  const report = () => options.onProgress?.({ bytes: done.reduce((sum, bytes) => sum + bytes, 0), total });
  report();
  await checkRoom(
    files.filter((_, index) => done[index] === 0),
    options,
  );
  for (const [index, file] of files.entries()) {
    if (await isLinked(file)) continue;
    if (!(await isComplete(file))) {
      await downloadFile(file, {
        fetch: options.fetch ?? fetch,
        signal: options.signal,
        retryDelayMs: options.retryDelayMs ?? 1000,
        onBytes(bytes) {
          done[index] = bytes;
          report();
        },
      });
    }
    await linkBlob(file.target, file.pointer);
  }
}

async function isLinked(file: ModelFile): Promise<boolean> {
  return (await fileSize(file.pointer)) === file.size;
}

async function isComplete(file: ModelFile): Promise<boolean> {
  return (await isLinked(file)) || (await fileSize(file.target)) === file.size;
}

async function checkRoom(files: ModelFile[], { id, cacheDir }: PullOptions): Promise<void> {
  await mkdir(cacheDir, { recursive: true });
  const partial = await Promise.all(files.map(({ target }) => fileSize(`${target}.incomplete`)));
  const needed = files.reduce((sum, file, index) => sum + file.size - (partial[index] ?? 0), 0);
  const { bavail, bsize } = await statfs(cacheDir);
  if (needed > bavail * bsize) throw diskFull(id, cacheDir);
}

/** Written last: other tools rely on the snapshot behind `main`. */
async function writeMainRef(cacheDir: string, id: string, commit: string): Promise<void> {
  const path = join(repoFolder(cacheDir, id), 'refs', 'main');
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, commit);
}
