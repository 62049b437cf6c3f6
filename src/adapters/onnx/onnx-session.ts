import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { ModelRecord } from '../../domain/model/model-record.ts';
import { poolTokens } from './pooling.ts';

type Runtime = typeof import('onnxruntime-node');

/** A loaded model: turns the token ids of a text into a unit vector. */
export interface OnnxSession {
  run(ids: number[]): Promise<Float32Array>;
  release(): Promise<void>;
}

/**
 * Loads the runtime and the graph, which takes at least tens of megabytes and tens of milliseconds.
 *
 * Each run takes one text. A quantised graph scales its activations over the whole batch, so in a batch a text's vector would
 * depend on the other texts (measured: cosine 0.99 with itself). And batches save no time: on one or two threads they are as fast
 * as single texts, and slower above 512 tokens.
 */
export async function openOnnxSession(
  record: ModelRecord,
  directory: string,
  { threads, runtime: path }: { threads: number; runtime: string },
): Promise<OnnxSession> {
  const runtime = loadRuntime(path);
  const session = await runtime.InferenceSession.create(
    join(directory, record.file),
    sessionOptions(threads),
  );
  const inputs = session.inputMetadata.map(describeInput);
  const output =
    session.outputNames.find((name) => name === 'last_hidden_state') ?? session.outputNames[0] ?? '';
  return {
    async run(ids) {
      if (ids.length === 0) return poolTokens(new Float32Array(0), 0, record);
      const feeds = Object.fromEntries(inputs.map((input) => [input.name, feed(runtime, input, ids)]));
      const results = await session.run(feeds, [output]);
      try {
        return poolTokens(readHidden(results[output], ids.length, record.dimensions), ids.length, record);
      } finally {
        for (const tensor of [...Object.values(feeds), ...Object.values(results)]) tensor.dispose();
      }
    },
    release: () => session.release(),
  };
}

/**
 * Loaded when it is used: the runtime is heavy, and some systems have no build. Unless this variable is set before it loads, it
 * sends telemetry and writes a device id to the user's cache.
 */
function loadRuntime(path: string): Runtime {
  process.env.ORT_DISABLE_TELEMETRY = '1';
  try {
    return createRequire(path)(path);
  } catch (error) {
    const system = `${process.platform}-${process.arch}`;
    throw new SmartForkError(
      'MODEL_UNAVAILABLE',
      `cannot load onnxruntime on ${system}: ${errorText(error)}`,
      {
        hint: 'onnxruntime has builds for Linux with glibc, Windows, and Macs with Apple silicon. Keyword search works without it.',
        cause: error,
      },
    );
  }
}

function sessionOptions(threads: number): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    // With spinning, idle threads use a whole core between runs, with no measurable gain.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  };
}

interface Input {
  name: string;
  wide: boolean;
  /** The value of a token in this input. */
  value(id: number): number;
}

function describeInput(input: InferenceSession.ValueMetadata): Input {
  const value = INPUT_VALUES[input.name];
  if (!input.isTensor || value === undefined)
    throw new Error(`the graph has an unknown input, ${input.name}`);
  if (input.type !== 'int64' && input.type !== 'int32')
    throw new Error(`input ${input.name} is ${input.type}`);
  return { name: input.name, wide: input.type === 'int64', value };
}

const INPUT_VALUES: Readonly<Record<string, Input['value']>> = {
  input_ids: (id) => id,
  attention_mask: () => 1,
  token_type_ids: () => 0,
};

function feed(runtime: Runtime, input: Input, ids: number[]): Tensor {
  const shape = [1, ids.length];
  return input.wide
    ? new runtime.Tensor(
        'int64',
        BigInt64Array.from(ids, (id) => BigInt(input.value(id))),
        shape,
      )
    : new runtime.Tensor('int32', Int32Array.from(ids, input.value), shape);
}

function readHidden(tensor: Tensor | undefined, tokens: number, dimensions: number): Float32Array {
  const expected = [1, tokens, dimensions];
  if (tensor?.data instanceof Float32Array && String(tensor.dims) === String(expected)) return tensor.data;
  throw new Error(`the graph returns ${tensor?.type} [${tensor?.dims}], expected float32 [${expected}]`);
}
