import * as z from 'zod';
import { sessionRecord } from './session.ts';
import { sessionTokens } from './state.ts';

/** JSON schemas of conversations. */

const turnShape = {
  index: z.number().describe('counted from 0'),
  timestamp: z.string().nullable(),
  before: z
    .string()
    .optional()
    .describe(
      'of the first turn, what the agent said before the first prompt: the transcript begins in the middle of a conversation',
    ),
  user: z.string(),
  assistant: z.string(),
  tools: z.array(z.string()).describe('a line per tool call'),
  files: z.array(z.string()),
  rewound: z.literal(true).optional().describe('the user took the turn back'),
};

/** A session without its turns. */
const summaryLine = z.object({
  kind: z.enum(['summary', 'asked', 'decided', 'found', 'done', 'open']),
  text: z.string(),
  turn: z.number().describe('counted from 0'),
  answer: z.string().optional().describe('what answers the question with which the text begins'),
  more: z.number().optional().describe('of asked: the number of prompts that are not listed'),
});

export const sessionView = z.object({
  session: sessionRecord,
  local: z.boolean(),
  restorable: z.boolean(),
  longer_on: z.string().nullable().describe('the machine whose longer transcript can be restored'),
  resume: z.string().nullable().describe('the command that resumes it'),
  fork: z.string().nullable().describe('the command that forks it'),
  turn_count: z.number(),
  subagents: z.array(z.string()),
  context: z
    .object({ tokens: z.number(), window: z.number().nullable() })
    .nullable()
    .describe("how much of the model's context it takes; null if the transcript does not say"),
  summary: z
    .array(summaryLine)
    .describe(
      'what was asked, decided, found, done and left open, in words of the transcript; kind summary: written by the model of memory.extractor',
    ),
  usage: sessionTokens.nullable().describe('tokens and cost; null if none were counted'),
});

const edit = z.object({ path: z.string(), before: z.string(), after: z.string() });

const readerStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('thinking'), text: z.string() }),
  z.object({
    kind: z.literal('tool'),
    name: z.string(),
    summary: z.string(),
    input: z.string().optional(),
    output: z.string().optional(),
    edits: z.array(edit).optional(),
    failed: z.literal(true).optional(),
    images: z.array(z.object({ mime: z.string(), data: z.string() })).optional(),
    cut: z.number().optional().describe('characters left out'),
  }),
  z.object({ kind: z.literal('compaction'), summary: z.string().nullable() }),
  z
    .object({ kind: z.literal('prompt') })
    .describe('where the first prompt stands, if other steps precede it'),
  z.object({
    kind: z.literal('subagent'),
    id: z.string(),
    title: z.string(),
    turn_count: z.number(),
  }),
]);

export const turnWindow = z.object({
  from: z.number(),
  total: z.number(),
  problem: z
    .string()
    .nullable()
    .describe('why the archived transcript could not be read: the turns are of the index'),
  turns: z.array(z.object({ ...turnShape, steps: z.array(readerStep) })),
});

export const sessionHtml = z.object({
  session_id: z.string(),
  file: z.string().describe('a name for the file'),
  turns: z.number(),
  left_out: z.number().describe('turns at the end that would make it too large'),
  html: z.string(),
});

export const outline = z.object({
  turns: z.array(
    z.object({
      index: z.number(),
      timestamp: z.string().nullable(),
      title: z.string(),
      files_count: z.number(),
      rewound: z.literal(true).optional(),
      has_match: z.boolean().optional().describe('absent without a query'),
    }),
  ),
});

export const editedFiles = z.object({
  files: z.array(z.object({ path: z.string(), edits: z.number(), turns: z.array(z.number()) })),
  commits: z.array(z.object({ hash: z.string(), subject: z.string(), url: z.string().nullable() })),
});

export const filesOfSessions = z.object({
  files: z.array(
    z.object({
      path: z.string().describe('relative to the repository, if it is in it'),
      repo_name: z.string(),
      edited_at: z.string().nullable().describe('when the last of the sessions ended'),
      sessions: z
        .array(
          z.object({
            session_id: z.string(),
            title: z.string(),
            ended_at: z.string().nullable(),
            path: z.string().describe("as in the session's own files"),
          }),
        )
        .describe('the newest that edited it'),
      session_count: z.number(),
    }),
  ),
  left: z.number().describe('files that were edited earlier and are not shown'),
});

export const fileDiff = z.object({
  path: z.string(),
  edits: z.array(z.object({ turn: z.number(), before: z.string(), after: z.string() })),
});

/** What `retrieve --format json` prints. */
export const retrieved = z.object({
  notice: z.string(),
  session: sessionRecord,
  from: z.enum(['transcript', 'archive', 'store']),
  local: z.boolean(),
  restorable: z.boolean(),
  fork_command: z.string(),
  resume_command: z.string().nullable(),
  passages: z.array(
    z.object({ index: z.number(), turn: z.number(), timestamp: z.string().nullable(), text: z.string() }),
  ),
  total_passages: z.number(),
});
