import * as z from 'zod';
import { SmartForkError } from '../errors.ts';
import { OUR_WORDS, schemaProblems } from '../text/schema-problems.ts';
import { graphPaths, knownModel } from './known-models.ts';
import type { ChunkSizes, ModelRecord } from './model-record.ts';

/** The files of a model folder. JSON is parsed but not validated. */
export interface ModelFolder {
  /** Path, for messages. */
  directory: string;
  /** Paths inside the folder, with `/`. */
  files: string[];
  /** The model's id, if known from a setting or the folder's name. */
  id?: string;
  /** config.json */
  config: unknown;
  /** 1_Pooling/config.json of sentence-transformers. */
  pooling?: unknown;
  /** config_sentence_transformers.json: may name the prefixes. */
  prompts?: unknown;
  /** smart-fork.json: a complete or partial record written by the user. It takes precedence. */
  own?: unknown;
}

/**
 * The record of the model in a folder: the built-in record with its id, else its config.json, with smart-fork.json taking precedence
 * over both.
 * @throws SmartForkError MODEL_UNAVAILABLE if that is not enough to run the model
 */
export function resolveModelRecord(folder: ModelFolder): ModelRecord {
  const own = parse(ownRecordSchema, folder.own ?? {}, folder, 'smart-fork.json');
  const id = own.id ?? folder.id;
  const known = id === undefined ? undefined : knownModel(id);
  const base = known ?? recordFromConfig(folder, own);
  if (known && known.dimensions !== (dimensionsOf(folder) ?? known.dimensions)) {
    throw unusable(folder, `it has ${dimensionsOf(folder)} dimensions, so it is not ${id}`);
  }
  const record = { ...base, ...own, id: id ?? base.id };
  return { ...record, file: own.file ?? findGraph(folder, record.file) };
}

const count = z.number().int().positive();

const ownRecordSchema = z.strictObject({
  id: z.string().min(1).optional(),
  file: z.string().min(1).optional(),
  dimensions: count.optional(),
  maxTokens: count.optional(),
  documentPrefix: z.string().optional(),
  queryPrefix: z.string().optional(),
  pooling: z.enum(['mean', 'cls']).optional(),
  chunk: z
    .strictObject({ min: count, target: count, max: count, overlap: z.number().int().min(0) })
    .optional(),
});

/** Key names in BERT-like configurations, and the GPT-2 names that nomic uses. */
const configSchema = z.object({
  hidden_size: count.optional(),
  n_embd: count.optional(),
  max_position_embeddings: count.optional(),
  n_positions: count.optional(),
  max_trained_positions: count.optional(),
  model_type: z.string().optional(),
  _name_or_path: z.string().optional(),
});

const poolingSchema = z.object({ pooling_mode_cls_token: z.boolean().optional() });

const promptsSchema = z.object({
  prompts: z.object({ document: z.string().optional(), query: z.string().optional() }).optional(),
});

function recordFromConfig(folder: ModelFolder, own: z.infer<typeof ownRecordSchema>): ModelRecord {
  const config = parse(configSchema, folder.config ?? {}, folder, 'config.json');
  const prompts = promptsSchema.safeParse(folder.prompts).data?.prompts;
  const dimensions = dimensionsOf(folder) ?? own.dimensions;
  if (dimensions === undefined)
    throw unusable(folder, 'neither hidden_size in config.json nor dimensions in smart-fork.json is set');
  const positions =
    config.max_trained_positions ??
    config.max_position_embeddings ??
    config.n_positions ??
    own.maxTokens ??
    512;
  // These models number positions from 2.
  const unused = /roberta|camembert|mpnet/.test(config.model_type ?? '') ? 2 : 0;
  const maxTokens = Math.min(positions - unused, 2048);
  // A fine-tuned model names its base model here. It runs like the base model but is named after its folder, so that its
  // vectors are not mixed with those of the base model.
  const parent = knownModel(config._name_or_path ?? '');
  return {
    id: `local/${
      folder.directory
        .split(/[\\/]+/)
        .filter(Boolean)
        .at(-1) ?? 'model'
    }`,
    file: 'onnx/model_quantized.onnx',
    dimensions,
    maxTokens,
    documentPrefix: prompts?.document ?? parent?.documentPrefix ?? '',
    queryPrefix: prompts?.query ?? parent?.queryPrefix ?? '',
    pooling: poolingSchema.safeParse(folder.pooling).data?.pooling_mode_cls_token ? 'cls' : 'mean',
    chunk: chunkSizesFor(maxTokens),
  };
}

function dimensionsOf({ config }: ModelFolder): number | undefined {
  const known = configSchema.safeParse(config).data;
  return known?.hidden_size ?? known?.n_embd;
}

/** At most two thirds of the input, because chunk sizes are estimates. */
function chunkSizesFor(maxTokens: number): ChunkSizes {
  const max = Math.min(1000, Math.round(maxTokens * 0.65));
  return { min: Math.round(max * 0.5), target: Math.round(max * 0.75), max, overlap: Math.round(max * 0.15) };
}

function findGraph(folder: ModelFolder, preferred: string): string {
  const found =
    graphPaths(preferred).find((path) => folder.files.includes(path)) ??
    folder.files.filter((path) => /^(onnx\/)?[^/]+\.onnx$/.test(path)).sort()[0];
  if (found === undefined) throw unusable(folder, 'no .onnx file in the folder or in its onnx/ folder');
  return found;
}

function parse<T>(schema: z.ZodType<T>, value: unknown, folder: ModelFolder, file: string): T {
  const parsed = schema.safeParse(value, OUR_WORDS);
  if (parsed.success) return parsed.data;
  throw unusable(folder, `${file}: ${schemaProblems(parsed.error)}`);
}

function unusable(folder: ModelFolder, reason: string): SmartForkError {
  return new SmartForkError('MODEL_UNAVAILABLE', `cannot use the model in ${folder.directory}: ${reason}`, {
    hint: 'A model folder needs config.json, tokenizer.json and an .onnx file; smart-fork.json can add missing values.',
  });
}
