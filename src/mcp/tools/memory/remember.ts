import * as z from 'zod';
import { IDEA_KINDS } from '../../../domain/session/ideas.ts';
import { defineTool } from '../../tool.ts';

const MAX_LENGTH = 600;

export const remember = defineTool({
  name: 'remember',
  title: 'Remember a decision or finding',
  description:
    'Records one decision, conclusion, question, problem, solution, todo or fact of this conversation, so that later sessions find it with recall. It stays in this transcript. One per call, in a sentence that stands on its own.',
  input: z.strictObject({
    kind: z.enum(IDEA_KINDS),
    content: z
      .string()
      .trim()
      .min(3)
      .refine((text) => Buffer.byteLength(text) <= MAX_LENGTH, `must have at most ${MAX_LENGTH} bytes`)
      .describe('one sentence, at most 600 bytes'),
    entities: z
      .array(z.string().trim().min(1).max(200))
      .max(12)
      .default([])
      .describe(
        'what it is about, as type:name: file:src/a.ts, technology:redis, package:zod, concept:retry',
      ),
  }),
  output: z.object({ kind: z.enum(IDEA_KINDS), noted: z.boolean() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  /** Does nothing more: the readers of transcripts find the call itself (see `rememberedIn`). */
  async run({ kind }) {
    return {
      structured: { kind, noted: true },
      text: `Noted. recall finds this ${kind} once this conversation is indexed: after this answer if the hooks are installed, otherwise at the next smart-fork index.`,
    };
  },
});
