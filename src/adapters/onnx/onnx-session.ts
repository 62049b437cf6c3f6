import { createRequire } from 'node:module';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { errorText, SmartForkError } from '../../domain/errors.ts';

type Runtime = typeof import('onnxruntime-node');

/** A loaded graph. */
export interface OnnxSession {
  /** @param read the output, which is freed afterwards */
  run<T>(tokens: Tokens, read: (output: Tensor) => T): Promise<T>;
  release(): Promise<void>;
}

/** The tokens of a text, or of two texts. */
export interface Tokens {
  /** At least one. */
  ids: number[];
  /** For each token, 0 if it belongs to the first text, 1 if to the second; absent for a single text. */
  types?: number[];
}

interface SessionOptions {
  threads: number;
  /** The path of the runtime's main file. */
  runtime: string;
  /** The output's name. If the graph has no output of this name, its first one is read. */
  output: string;
}

/**
 * Loads the runtime and the graph, which takes at least tens of megabytes and tens of milliseconds.
 *
 * Each run takes one text. A quantized graph scales its activations over the whole batch, so in a batch a text's vector would
 * depend on the other texts (measured: cosine 0.99 with itself). Batches do not save time either: on one or two threads they are as
 * fast as single texts, and slower above 512 tokens.
 */
export async function openOnnxSession(
  graph: string,
  { threads, runtime: path, output: wanted }: SessionOptions,
): Promise<OnnxSession> {
  const runtime = loadRuntime(path);
  const session = await runtime.InferenceSession.create(graph, sessionOptions(threads));
  const inputs = session.inputMetadata.map(describeInput);
  const output = session.outputNames.find((name) => name === wanted) ?? session.outputNames[0] ?? '';
  return {
    async run(tokens, read) {
      const feeds = Object.fromEntries(inputs.map((input) => [input.name, feed(runtime, input, tokens)]));
      const results = await session.run(feeds, [output]);
      try {
        return read(results[output] as Tensor);
      } finally {
        for (const tensor of [...Object.values(feeds), ...Object.values(results)]) tensor.dispose();
      }
    },
    release: () => session.release(),
  };
}

/**
 * Loaded on demand: the runtime is heavy, and not available for all systems. Unless this variable is set before it loads, it sends
 * telemetry and writes a device id to the user's cache.
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
  /** The input's value for the token at a position. */
  value(tokens: Tokens, at: number): number;
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
  input_ids: ({ ids }, at) => ids[at] ?? 0,
  attention_mask: () => 1,
  token_type_ids: ({ types }, at) => types?.[at] ?? 0,
};

function feed(runtime: Runtime, { value, wide }: Input, tokens: Tokens): Tensor {
  const { length } = tokens.ids;
  const values = Int32Array.from({ length }, (_, at) => value(tokens, at));
  return wide
    ? new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), [1, length])
    : new runtime.Tensor('int32', values, [1, length]);
}
