import { open, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { DEFAULT_MODEL, fullModelId, knownModel } from '../../domain/model/known-models.ts';
import type { ModelRecord } from '../../domain/model/model-record.ts';
import { recognizeModel } from '../../domain/model/recognize-model.ts';
import type { ModelFiles } from '../../ports/embedder.ts';
import { hasCode } from '../system/has-code.ts';
import { fileSize, findModelFolder } from './hub-cache.ts';

/** Files a model needs in addition to its graph. */
export const REQUIRED_FILES: readonly string[] = ['tokenizer.json', 'config.json'];

/** The required files, and optional ones. */
export const MODEL_FILES: readonly string[] = [
  ...REQUIRED_FILES,
  'tokenizer_config.json',
  '1_Pooling/config.json',
  'config_sentence_transformers.json',
];

interface ModelPlace {
  /** The configured model; undefined for the model in `directory`, whichever it is. */
  id?: string;
  /** A model folder given by the user; undefined for the hub's cache. */
  directory?: string;
  cacheDir: string;
}

export interface LocatedModel {
  state: ModelFiles;
  /** Undefined if the model is neither installed nor known by name. */
  record: ModelRecord | undefined;
}

/** Finds the configured model and reports whether it can run. Does not throw for missing or broken files. */
export async function locateModel({ id, directory, cacheDir }: ModelPlace): Promise<LocatedModel> {
  const name = id ?? (directory === undefined ? DEFAULT_MODEL : undefined);
  const known = name === undefined ? undefined : knownModel(name);
  const folder = directory ?? (await findModelFolder(cacheDir, name ?? DEFAULT_MODEL, known?.file));
  if ((await fileSize(join(folder, 'tokenizer.json'))) === undefined) {
    return { record: known, state: { state: 'absent', directory: folder, reason: `not found in ${folder}` } };
  }
  try {
    const record = await readModelRecord(folder, name);
    return { record, state: await inspectModel(record, folder) };
  } catch (error) {
    return { record: known, state: { state: 'broken', directory: folder, reason: errorText(error) } };
  }
}

/** Whether the model's files exist and look plausible. Loads nothing. */
export async function inspectModel(record: ModelRecord, directory: string): Promise<ModelFiles> {
  for (const file of [record.file, 'tokenizer.json']) {
    const fault = await findFault(join(directory, file));
    if (fault) return { state: fault.state, directory, reason: `${file} in ${directory} ${fault.reason}` };
  }
  return { state: 'ready', directory };
}

/**
 * The record of the model in a folder; see resolveModelRecord for its sources. Without the configured name `id`, the folder's name
 * is tried.
 * @throws SmartForkError MODEL_UNAVAILABLE
 */
export async function readModelRecord(directory: string, id?: string): Promise<ModelRecord> {
  const folder = {
    directory,
    files: await listFiles(directory),
    id: id ?? idFromFolder(directory),
    config: await readJson(directory, 'config.json'),
    pooling: await readJson(directory, '1_Pooling/config.json'),
    prompts: await readJson(directory, 'config_sentence_transformers.json'),
    own: await readJson(directory, 'smart-fork.json'),
  };
  const known = recognizeModel(folder);
  return known ?? (await import('../../domain/model/models.ts')).resolveModelRecord(folder);
}

interface Fault {
  state: 'absent' | 'broken';
  reason: string;
}

/** The fault in a model file; undefined if the file looks plausible. */
export async function findFault(path: string): Promise<Fault | undefined> {
  try {
    const start = await readStart(path);
    if (start.length === 0) return { state: 'broken', reason: 'is empty' };
    if (start.startsWith('version https://git-lfs')) {
      return { state: 'broken', reason: 'is a Git LFS pointer, not the file itself' };
    }
    if (path.endsWith('.json') && !start.trimStart().startsWith('{')) {
      return { state: 'broken', reason: 'is not JSON' };
    }
    return undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return { state: 'absent', reason: 'does not exist' };
    return { state: 'broken', reason: `cannot be read (${errorText(error)})` };
  }
}

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    const top = await readdir(directory);
    const graphs = top.includes('onnx') ? await readdir(join(directory, 'onnx')) : [];
    return [...top, ...graphs.map((name) => `onnx/${name}`)];
  } catch (error) {
    throw new SmartForkError(
      'MODEL_UNAVAILABLE',
      `cannot read the model folder ${directory}: ${errorText(error)}`,
      {
        hint: 'Check SMART_FORK_MODEL_DIR, or run: smart-fork model pull',
        cause: error,
      },
    );
  }
}

/** Undefined for a missing file; throws for invalid JSON. */
async function readJson(directory: string, file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(directory, file), 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new SmartForkError(
      'MODEL_UNAVAILABLE',
      `cannot read ${file} in ${directory}: ${errorText(error)}`,
      {
        hint: 'Download the model again: smart-fork model pull',
        cause: error,
      },
    );
  }
}

/** The hub's cache uses `models--owner--name/snapshots/commit`; users name a folder after the model. */
function idFromFolder(directory: string): string | undefined {
  const cached = /(?<![^/\\])models--((?:(?!--)[^/\\])+)--([^/\\]+)[/\\]snapshots[/\\][^/\\]+[/\\]?$/.exec(
    directory,
  );
  if (cached) return `${cached[1]}/${cached[2]}`;
  const id = fullModelId(basename(directory));
  return knownModel(id)?.id;
}
