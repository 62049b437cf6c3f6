import {
  describeTokenizer,
  describeValue,
  encodeModel,
  FLOAT,
  INT64,
  listTokens,
  WORDS,
  writeModelFiles,
} from './tiny-model.ts';

/**
 * Writes a tiny cross-encoder: a pair's score is the number of `likes` words in the second text, minus those in the first. Returns the
 * folder.
 */
export async function writeTinyReranker(directory: string, likes: string[]): Promise<string> {
  const vocabulary = listTokens([...WORDS, ...likes]);
  return writeModelFiles(directory, {
    'config.json': JSON.stringify({ model_type: 'bert', max_position_embeddings: 128 }),
    'tokenizer.json': JSON.stringify(describeTokenizer(vocabulary)),
    'model.onnx': encodeModel(graphOf(vocabulary, likes)),
  });
}

/** logits = sum over the tokens of worth(token) * sign(type) */
function graphOf(vocabulary: string[], likes: string[]): object {
  const table = (name: string, values: number[]) => ({
    name,
    dims: [values.length],
    data_type: FLOAT,
    raw_data: new Uint8Array(Float32Array.from(values).buffer),
  });
  const axis = {
    name: 'axis',
    dims: [1],
    data_type: INT64,
    raw_data: new Uint8Array(BigInt64Array.of(1n).buffer),
  };
  const node = (op_type: string, input: string[], output: string) => ({
    name: output,
    op_type,
    input,
    output: [output],
  });
  return {
    name: 'tiny-reranker',
    node: [
      node('Gather', ['worths', 'input_ids'], 'worth'),
      node('Gather', ['signs', 'token_type_ids'], 'sign'),
      node('Mul', ['worth', 'sign'], 'signed'),
      node('ReduceSum', ['signed', 'axis'], 'logits'),
    ],
    initializer: [
      table(
        'worths',
        vocabulary.map((token) => (likes.includes(token) ? 1 : 0)),
      ),
      table('signs', [-1, 1]),
      axis,
    ],
    input: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
      describeValue(name, INT64, ['batch', 'tokens']),
    ),
    output: [describeValue('logits', FLOAT, ['batch', 1])],
  };
}
