import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import protobuf from 'protobufjs';

export interface TinyModelOptions {
  dimensions?: number;
  /** Words with their own vectors; all others are spelled out by character. */
  words?: string[];
  /** Whether the graph has an input token_type_ids, as BERT does. */
  tokenTypes?: boolean;
  /** Path of the graph in the folder. */
  file?: string;
}

/**
 * Writes a tiny model: a tokenizer (WordPiece with a few words and every ASCII character), a configuration, and an
 * ONNX graph that looks up a fixed random vector for each token. A text's vector is the mean of its words' vectors.
 * Returns the folder.
 */
export async function writeTinyModel(directory: string, options: TinyModelOptions = {}): Promise<string> {
  const { dimensions = 16, words = WORDS, tokenTypes = false, file = 'onnx/model_quantized.onnx' } = options;
  const vocabulary = listTokens(words);
  const files = {
    'config.json': JSON.stringify({
      model_type: 'bert',
      hidden_size: dimensions,
      max_position_embeddings: 64,
    }),
    'tokenizer.json': JSON.stringify(describeTokenizer(vocabulary)),
    [file]: encodeGraph(vocabulary, dimensions, tokenTypes),
  };
  return writeModelFiles(directory, files);
}

export async function writeModelFiles(
  directory: string,
  files: Record<string, string | Uint8Array>,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  return directory;
}

export const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

export const WORDS =
  `a add all and are bug build change cache code commit config database deploy do document error file find fix
  for from function git how in index is it lock login loop make migrate migration model new not of on parser password
  query refactor remove rename retry run schema search server session slow sql store test that the this timeout to token
  type update use user vector watch we what when where why with write you`.split(/\s+/);

export function listTokens(words: string[]): string[] {
  const characters = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter(
    (character) => character === character.toLowerCase(),
  );
  return [
    ...new Set([...SPECIAL, ...words, ...characters, ...characters.map((character) => `##${character}`)]),
  ];
}

export function describeTokenizer(vocabulary: string[]): object {
  const special = (token: string) => ({ id: token, ids: [vocabulary.indexOf(token)], tokens: [token] });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      id,
      content,
      special: true,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
    })),
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
        { Sequence: { id: 'B', type_id: 1 } },
        { SpecialToken: { id: '[SEP]', type_id: 1 } },
      ],
      special_tokens: { '[CLS]': special('[CLS]'), '[SEP]': special('[SEP]') },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
    },
  };
}

/** The part of the ONNX format that the graph needs, with the names and numbers in onnx/onnx.proto. */
const ONNX = `
  syntax = "proto3";
  message ModelProto { int64 ir_version = 1; GraphProto graph = 7; repeated OperatorSetIdProto opset_import = 8; }
  message OperatorSetIdProto { string domain = 1; int64 version = 2; }
  message GraphProto {
    repeated NodeProto node = 1; string name = 2; repeated TensorProto initializer = 5;
    repeated ValueInfoProto input = 11; repeated ValueInfoProto output = 12;
  }
  message NodeProto { repeated string input = 1; repeated string output = 2; string name = 3; string op_type = 4; }
  message TensorProto { repeated int64 dims = 1; int32 data_type = 2; string name = 8; bytes raw_data = 9; }
  message ValueInfoProto { string name = 1; TypeProto type = 2; }
  message TypeProto { Tensor tensor_type = 1; message Tensor { int32 elem_type = 1; TensorShapeProto shape = 2; } }
  message TensorShapeProto {
    repeated Dimension dim = 1; message Dimension { oneof value { int64 dim_value = 1; string dim_param = 2; } }
  }`;

export const FLOAT = 1;
export const INT64 = 7;

/** A graph as an ONNX message. */
export function encodeModel(graph: object): Uint8Array {
  const Model = protobuf.parse(ONNX, { keepCase: true }).root.lookupType('ModelProto');
  const opset_import = [{ domain: '', version: 13 }];
  return Model.encode(Model.fromObject({ ir_version: 8, graph, opset_import })).finish();
}

function encodeGraph(vocabulary: string[], dimensions: number, tokenTypes: boolean): Uint8Array {
  const table = (name: string, rows: number, value: (row: number) => number) => ({
    name,
    dims: [rows, dimensions],
    data_type: FLOAT,
    raw_data: new Uint8Array(
      Float32Array.from({ length: rows * dimensions }, (_, at) => value(Math.floor(at / dimensions))).buffer,
    ),
  });
  const random = createRandom();
  // Special tokens have no vector, so that texts differ only by their words.
  const words = table('words', vocabulary.length, (id) => (id < SPECIAL.length ? 0 : random() - 0.5));
  const lookUp = (from: string, ids: string, output: string) => ({
    name: output,
    op_type: 'Gather',
    input: [from, ids],
    output: [output],
  });
  const inputs = ['input_ids', 'attention_mask', ...(tokenTypes ? ['token_type_ids'] : [])];
  const graph = {
    name: 'tiny',
    node: tokenTypes
      ? [
          lookUp('words', 'input_ids', 'word_vectors'),
          lookUp('types', 'token_type_ids', 'type_vectors'),
          {
            op_type: 'Add',
            name: 'sum',
            input: ['word_vectors', 'type_vectors'],
            output: ['last_hidden_state'],
          },
        ]
      : [lookUp('words', 'input_ids', 'last_hidden_state')],
    initializer: tokenTypes ? [words, table('types', 2, (type) => type)] : [words],
    input: inputs.map((name) => describeValue(name, INT64, ['batch', 'tokens'])),
    output: [describeValue('last_hidden_state', FLOAT, ['batch', 'tokens', dimensions])],
  };
  return encodeModel(graph);
}

export function describeValue(name: string, type: number, shape: (string | number)[]): object {
  const dim = shape.map((size) => (typeof size === 'number' ? { dim_value: size } : { dim_param: size }));
  return { name, type: { tensor_type: { elem_type: type, shape: { dim } } } };
}

/** The same numbers in every run (mulberry32). */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
