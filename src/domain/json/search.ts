import * as z from 'zod';
import { FITS, STRENGTHS } from '../search/certainty.ts';
import { RANKINGS, SEARCH_MODES } from '../search/search.ts';
import { notice } from './notice.ts';
import { sessionCardShape } from './session.ts';

export const understood = z.object({
  kind: z.enum([
    ...(['since', 'until', 'not', 'exclude', 'text', 'phrase'] as const),
    ...(['repo', 'branch', 'agent', 'machine', 'lang', 'outcome', 'mine'] as const),
  ]),
  value: z.string(),
  from: z.string().nullable(),
  text: z.string(),
});

/** The parts of a score, each 0 to 1, and their weights. */
const scores = z.object({
  parts: z.record(z.string(), z.number()),
  weights: z.record(z.string(), z.number()),
  phrasings: z
    .array(z.number())
    .optional()
    .describe('with further phrasings: the scores of the query and of each, without recency'),
  evidence: z
    .object({
      gap: z.number(),
      coverage: z.number(),
      named: z.number(),
      words: z.number(),
      first: z.number(),
      phrased: z.number(),
    })
    .optional()
    .describe('what the certainty was computed from; absent for sessions that the query names'),
});

/** How well the best result fits, and the words for it. */
export const fit = z.object({ level: z.enum(FITS), text: z.string() });

export const searchResult = z.object({
  ...sessionCardShape,
  rank: z.number(),
  score: z.number().describe('comparable within this answer only; not a percentage'),
  recommended: z.boolean().describe('the first result, if it is a strong match'),
  found_by: z
    .string()
    .optional()
    .describe('the name in the query that led to it: "commit 0f9e02bd: Turn the valve"'),
  family: z
    .array(z.string())
    .optional()
    .describe('ids of further sessions found: its forks, its origin, and those that did the same'),
  certainty: z
    .number()
    .nullable()
    .describe('0 to 100, comparable between answers; null in a list that is not a search'),
  strength: z.enum(STRENGTHS).nullable().describe('the certainty in words'),
  repo_key: z.string().nullable(),
  working_directory: z.string(),
  snippet: z.string().describe('the best matching passage'),
  snippet_ranges: z
    .array(z.tuple([z.number(), z.number()]))
    .describe('matched words: [start, end) in UTF-16 units'),
  match: z.object({
    type: z.enum(['chunk', 'intent', 'session']),
    index: z.number(),
    turn: z.number().nullable().describe('counted from 0'),
    timestamp: z.string().nullable(),
    subagent: z.string().optional().describe('the subagent whose conversation matched'),
  }),
  jsonl_path: z.string().nullable(),
  can_fork: z.boolean(),
  fork_command: z.string().describe('restores the session first if needed'),
  scores,
});

/** A word of a query, and in how many sessions it occurs. */
export const countedWord = z.object({
  word: z.string(),
  sessions: z.number(),
  similar: z.string().optional().describe('a word spelled almost alike that does occur'),
});

/** Values, and the number of sessions of each. */
export const facet = z.array(z.object({ value: z.string(), count: z.number() }));

/** What `search --json` prints: fields may be added, never renamed. */
export const searchResponse = z.object({
  query: z.string(),
  also: z.array(z.string()).optional().describe('further phrasings of the query'),
  mode: z.enum(SEARCH_MODES).describe('the one that was used: keyword if vectors are missing'),
  ranking: z.enum(RANKINGS),
  confidence: z.number().nullable().describe("the first result's certainty"),
  fit: fit.optional(),
  notices: z.array(notice),
  took_ms: z.number(),
  understood: z.array(understood),
  ignored: z
    .array(understood)
    .optional()
    .describe(
      'filters in the query that no session matches, or of unknown names: the answer is without them',
    ),
  results: z.array(searchResult),
  matched: z
    .number()
    .optional()
    .describe('sessions that matched, of which results are the best; 100: that many, or more'),
  facets: z
    .object({ repo: facet, agent: facet, branch: facet, month: facet })
    .optional()
    .describe('the sessions that matched, by value, each without its own filter'),
  preferred: z.string().optional().describe('the current repository, if preferring it changed the results'),
  together: z
    .object({
      session_ids: z.array(z.string()),
      coverage: z.number(),
      alone: z.number(),
      text: z.string(),
    })
    .optional()
    .describe('results that only together cover the query'),
  words: z.array(countedWord).optional().describe('for no or weak results'),
  filters: z
    .array(
      z.object({
        filter: z.string().describe("the option's name; min_score counts matches, not sessions"),
        value: z.string().nullable(),
        sessions: z.number(),
        of: z.number().optional().describe('the total, if not `sessions` of the answer'),
      }),
    )
    .optional()
    .describe('with filters and without results: how many sessions each filter matches alone'),
  sessions: z.number().optional(),
});
