import { join } from 'node:path';
import type { Tensor } from 'onnxruntime-node';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { ModelRecord } from '../../domain/model/model-record.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { keepOpen } from './keep-open.ts';
import { inspectModel } from './model-files.ts';
import { type OnnxSession, openOnnxSession } from './onnx-session.ts';
import { loadTokenizer, type Tokenize } from './tokenize.ts';

interface OnnxEmbedderOptions {
  record: ModelRecord;
  /** The folder with the graph and tokenizer.json. */
  directory: string;
  /** The path of the runtime's main file. */
  runtime: string;
  /** Called whenever the model is loaded. */
  threads: () => number;
  /** Idle time after which the model is released, in milliseconds. */
  idleMs: number;
}

export function createOnnxEmbedder(options: OnnxEmbedderOptions): Embedder {
  const { record, idleMs } = options;
  const model = keepOpen({
    open: () => loadModel(options),
    release: ({ session }) => session.release(),
    idleMs,
  });
  async function embed(texts: string[], prefix: string, signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    return model
      .use((loaded) => embedTexts(loaded, texts, prefix, signal))
      .catch((error: unknown) => {
        signal?.throwIfAborted();
        throw describeFailure(error, options);
      });
  }
  return {
    model: record,
    embedDocuments: (texts, signal) => embed(texts, record.documentPrefix, signal),
    async embedQuery(text) {
      const [vector] = await embed([text], record.queryPrefix);
      return vector ?? new Float32Array(record.dimensions);
    },
    close: () => model.close(),
  };
}

interface LoadedModel {
  record: ModelRecord;
  session: OnnxSession;
  tokenize: Tokenize;
}

async function loadModel(options: OnnxEmbedderOptions): Promise<LoadedModel> {
  const { record, directory, runtime, threads } = options;
  const found = await inspectModel(record, directory);
  if (found.state !== 'ready') {
    throw new SmartForkError(
      'MODEL_UNAVAILABLE',
      `the model ${record.id} is ${found.state}: ${found.reason}`,
      {
        hint: MODEL_HINT,
      },
    );
  }
  const tokenize = await loadTokenizer(directory, record.maxTokens);
  const session = await openOnnxSession(join(directory, record.file), {
    threads: threads(),
    runtime,
    output: 'last_hidden_state',
  });
  return { record, tokenize, session };
}

const MODEL_HINT =
  'Run: smart-fork model pull. If the hub cannot be reached, set SMART_FORK_MODEL_DIR to a folder with the model.';

async function embedTexts(
  { record, session, tokenize }: LoadedModel,
  texts: string[],
  prefix: string,
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) {
    signal?.throwIfAborted();
    // A run blocks the thread. Awaiting each one lets other work run in between.
    const ids = tokenize(text, prefix);
    const read = (output: Tensor) =>
      poolTokens(readHidden(output, ids.length, record.dimensions), ids.length, record);
    vectors.push(
      ids.length > 0 ? await session.run({ ids }, read) : poolTokens(new Float32Array(0), 0, record),
    );
  }
  return vectors;
}

function readHidden({ data, dims, type }: Tensor, tokens: number, dimensions: number): Float32Array {
  const expected = [1, tokens, dimensions];
  if (data instanceof Float32Array && String(dims) === String(expected)) return data;
  throw new Error(`the graph returns ${type} [${dims}], expected float32 [${expected}]`);
}

function describeFailure(error: unknown, { record, directory }: OnnxEmbedderOptions): SmartForkError {
  if (error instanceof SmartForkError) return error;
  return new SmartForkError(
    'MODEL_UNAVAILABLE',
    `cannot run the model ${record.id} in ${directory}: ${errorText(error)}`,
    { hint: `${MODEL_HINT} Keyword search works without it.`, cause: error },
  );
}

/**
 * Pools the token vectors in `hidden` (shape tokens × dimensions) into a unit vector: their mean, or the first token's vector.
 * Without padding there is no attention mask.
 */
function poolTokens(
  hidden: Float32Array,
  tokens: number,
  { dimensions, pooling }: Pick<ModelRecord, 'dimensions' | 'pooling'>,
): Float32Array {
  const sum = new Float64Array(dimensions);
  const counted = pooling === 'cls' ? 1 : tokens;
  for (let token = 0, at = 0; token < counted; token++) {
    for (let d = 0; d < dimensions; d++, at++) sum[d] = (sum[d] ?? 0) + (hidden[at] ?? 0);
  }
  return toUnitLength(sum);
}

/** Scales to length 1. A vector without direction (zeros, NaN) becomes the first axis. */
function toUnitLength(vector: Float64Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const unit = new Float32Array(vector.length);
  if (Number.isFinite(squares) && squares > 0) {
    const scale = 1 / Math.sqrt(squares);
    for (let d = 0; d < vector.length; d++) unit[d] = (vector[d] ?? 0) * scale;
  } else {
    unit[0] = 1;
  }
  return unit;
}
