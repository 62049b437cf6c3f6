import * as z from 'zod';
import { SHELLS } from '../domain/machine/shell.ts';
import { TERMINALS } from '../domain/machine/terminals.ts';
import { EMBEDDING_PROVIDERS } from '../domain/model/known-models.ts';
import { RANKINGS, SEARCH_MODES } from '../domain/search/search.ts';

export const ENCRYPTION = ['on', 'off'] as const;

const patterns = z.array(z.string().min(1)).max(1000);

/** Qdrant makes a folder of this name. */
export const COLLECTION_NAME = /^(?!\.+$)[\w.-]{1,255}$/;

/** Every setting of `config.json`, with what it is for. All are optional. */
export const settingsSchema = z.strictObject({
  machine: z.string().min(1).max(200).optional().describe('name of this machine; the host name unless set'),
  embedding: z
    .strictObject({
      provider: z
        .enum(EMBEDDING_PROVIDERS)
        .optional()
        .describe(
          'local: a model on this machine (unless set); qdrant-cloud: the server embeds, no model is needed',
        ),
      model: z
        .string()
        .min(1)
        .optional()
        .describe('model id on the Hugging Face hub; with qdrant-cloud, the service’s name for it'),
      dimensions: z
        .number()
        .int()
        .min(1)
        .max(65_536)
        .optional()
        .describe('numbers in a vector, for another model of qdrant-cloud than all-minilm-l6-v2'),
      model_dir: z.string().min(1).optional().describe('folder of a model, instead of the hub cache'),
      threads: z
        .number()
        .int()
        .min(1)
        .max(256)
        .optional()
        .describe('threads for embedding; half the cores unless set'),
      idle_seconds: z
        .number()
        .int()
        .min(1)
        .max(86_400)
        .optional()
        .describe('the model leaves memory after this time'),
      for_others: z
        .boolean()
        .optional()
        .describe(
          'embed with this machine’s model what others sent to the server without vectors; true unless set',
        ),
    })
    .optional(),
  search: z
    .strictObject({
      max_results: z.number().int().min(1).max(200).optional().describe('results of a search'),
      min_score: z.number().min(0).max(2).optional().describe('results below this score are left out'),
      mode: z.enum(SEARCH_MODES).optional().describe('hybrid, keyword or dense'),
      ranking: z.enum(RANKINGS).optional().describe('default, or the formula of the requirements document'),
    })
    .optional(),
  fork: z
    .strictObject({
      shell: z.enum(SHELLS).optional().describe('commands to copy are written for it; found out unless set'),
      launch: z
        .enum(['none', ...TERMINALS])
        .optional()
        .describe(`terminal that a fork asked for by an agent is opened in: none, ${TERMINALS.join(', ')}`),
    })
    .optional(),
  privacy: z
    .strictObject({
      exclude: z
        .strictObject({
          repositories: patterns
            .optional()
            .describe('repositories to keep out: names, host/owner/name, globs'),
          paths: patterns.optional().describe('folders to keep out, with everything below them'),
          branches: patterns.optional().describe('branches to keep out'),
        })
        .optional(),
      redact: z
        .array(z.strictObject({ name: z.string().min(1), pattern: z.string().min(1) }))
        .max(100)
        .optional()
        .describe('patterns of your own to redact: [{"name", "pattern"}], RE2 syntax'),
    })
    .optional(),
  qdrant: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
        .optional()
        .describe('a Qdrant server that all your machines share'),
      api_key: z.string().min(1).optional().describe('its key; better in .env, as QDRANT_API_KEY'),
      collection: z
        .string()
        .regex(COLLECTION_NAME, 'letters, digits, . _ and -, at most 255')
        .optional()
        .describe('the collection, claude_sessions unless set'),
      timeout_ms: z
        .number()
        .int()
        .min(100)
        .max(60_000)
        .optional()
        .describe('how long a search waits for the server in all; 1200 unless set'),
    })
    .optional(),
  encryption: z
    .enum(ENCRYPTION)
    .optional()
    .describe('on: what goes to a server is sealed on this machine first; needs a key (smart-fork key)'),
  archive: z
    .strictObject({
      enabled: z
        .boolean()
        .optional()
        .describe('keep compressed copies of transcripts (true unless set); false keeps no more'),
      remote: z
        .boolean()
        .optional()
        .describe('send transcripts to the server too, redacted (true unless set); false sends no more'),
      max_bytes: z
        .number()
        .int()
        .min(1_000_000)
        .optional()
        .describe('most bytes on disk for them; the oldest make room (2 GB unless set)'),
    })
    .optional(),
  claude: z
    .strictObject({ homes: z.array(z.string().min(1)).min(1).optional().describe('folders like ~/.claude') })
    .optional(),
  codex: z
    .strictObject({ homes: z.array(z.string().min(1)).min(1).optional().describe('folders like ~/.codex') })
    .optional(),
});

export type Settings = z.infer<typeof settingsSchema>;

/** A problem of a settings file in one line: `search.max_results: expected number`. */
export function describeProblems(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const place = issue.path.join('.');
      return place === '' ? issue.message : `${place}: ${issue.message}`;
    })
    .join('; ');
}

export interface SettingDescription {
  key: string;
  description: string;
}

/** The settings' keys, as `config list` shows them. */
export function listSettings(schema: z.ZodObject = settingsSchema, prefix = ''): SettingDescription[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
    const key = prefix + name;
    if (inner instanceof z.ZodObject) return listSettings(inner, `${key}.`);
    return [
      {
        key,
        description: field.description ?? (inner instanceof z.ZodType ? (inner.description ?? '') : ''),
      },
    ];
  });
}
