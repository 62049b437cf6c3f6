import { join } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelRecord } from '../../domain/model-record.ts';
import { poolTokens } from './pooling.ts';

type Runtime = typeof import('onnxruntime-node');

/** A loaded model: token ids in, unit vectors out. */
export interface OnnxSession {
  run(texts: number[][]): Promise<Float32Array[]>;
  release(): Promise<void>;
}

/** Loads the runtime and the graph, which takes tens of megabytes and of milliseconds at least. */
export async function openOnnxSession(
  record: ModelRecord,
  directory: string,
  threads: number,
): Promise<OnnxSession> {
  const runtime = await import('onnxruntime-node');
  const session = await runtime.InferenceSession.create(
    join(directory, record.file),
    sessionOptions(threads),
  );
  const inputs = session.inputMetadata.map((input) => describeInput(input));
  const output =
    session.outputNames.find((name) => name === 'last_hidden_state') ?? session.outputNames[0] ?? '';
  return {
    async run(texts) {
      const width = Math.max(...texts.map((ids) => ids.length));
      const feeds = Object.fromEntries(
        inputs.map((input) => [input.name, feed(runtime, input, texts, width)]),
      );
      const results = await session.run(feeds, [output]);
      try {
        const hidden = readHidden(results[output], texts.length, width, record);
        const stride = width * record.dimensions;
        return texts.map((ids, row) =>
          poolTokens(hidden, row * stride, ids.length, record.dimensions, record.pooling),
        );
      } finally {
        for (const tensor of [...Object.values(feeds), ...Object.values(results)]) tensor.dispose();
      }
    },
    release: () => session.release(),
  };
}

function sessionOptions(threads: number): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
  };
}

interface Input {
  name: string;
  wide: boolean;
  /** What a token's id, or the padding behind the text, becomes in this input. */
  value(id: number | undefined): number;
}

function describeInput(input: InferenceSession.ValueMetadata): Input {
  const value = INPUT_VALUES[input.name];
  if (!input.isTensor || value === undefined)
    throw new Error(`the graph asks for an unknown input, ${input.name}`);
  if (input.type !== 'int64' && input.type !== 'int32')
    throw new Error(`input ${input.name} is ${input.type}`);
  return { name: input.name, wide: input.type === 'int64', value };
}

const INPUT_VALUES: Readonly<Record<string, Input['value']>> = {
  input_ids: (id) => id ?? 0,
  attention_mask: (id) => (id === undefined ? 0 : 1),
  token_type_ids: () => 0,
};

function feed(runtime: Runtime, input: Input, texts: number[][], width: number): Tensor {
  const values = texts.flatMap((ids) => Array.from({ length: width }, (_, at) => input.value(ids[at])));
  const shape = [texts.length, width];
  return input.wide
    ? new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), shape)
    : new runtime.Tensor('int32', Int32Array.from(values), shape);
}

function readHidden(
  tensor: Tensor | undefined,
  rows: number,
  width: number,
  record: ModelRecord,
): Float32Array {
  const expected = [rows, width, record.dimensions];
  if (tensor?.data instanceof Float32Array && String(tensor.dims) === String(expected)) return tensor.data;
  throw new Error(`the graph gives ${tensor?.type} [${tensor?.dims}], not float32 [${expected}]`);
}
