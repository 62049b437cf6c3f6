import * as z from 'zod';
import { FITS, STRENGTHS } from '../search/certainty.ts';
import { RANKINGS, SEARCH_MODES } from '../search/search.ts';
import type { SearchResponse, SearchResult } from '../search-result.ts';
import { notice } from './notice.ts';
import { sessionCardShape } from './session.ts';

export const understood = z.object({
  kind: z.enum([
    ...(['since', 'until', 'not', 'exclude', 'phrase'] as const),
    ...(['repo', 'branch', 'agent', 'machine', 'lang', 'outcome', 'mine'] as const),
  ]),
  value: z.string(),
  from: z.string().nullable(),
  text: z.string(),
});

const scores = z.object({
  parts: z.record(z.string(), z.number()),
  weights: z.record(z.string(), z.number()),
  phrasings: z.array(z.number()).optional(),
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
    .describe('what the certainty was computed from'),
});

/** How well the best result fits, and the words for it. */
export const fit = z.object({ level: z.enum(FITS), text: z.string() });

const searchResultShape = {
  ...sessionCardShape,
  rank: z.number(),
  score: z.number().describe('comparable within this answer only; not a percentage'),
  recommended: z.boolean(),
  found_by: z.string().optional(),
  family: z
    .array(z.string())
    .optional()
    .describe('ids of further sessions found: its forks, its origin, and those that did the same'),
  certainty: z.number().nullable().describe('0 to 100, comparable between answers'),
  strength: z.enum(STRENGTHS).nullable(),
  repo_key: z.string().nullable(),
  working_directory: z.string(),
  snippet: z.string(),
  snippet_ranges: z.array(z.tuple([z.number(), z.number()])),
  match: z.object({
    type: z.enum(['chunk', 'intent', 'session']),
    index: z.number(),
    turn: z.number().nullable().describe('counted from 0'),
    timestamp: z.string().nullable(),
    subagent: z.string().optional(),
  }),
  jsonl_path: z.string().nullable(),
  can_fork: z.boolean(),
  fork_command: z.string(),
  scores,
};

export const searchResult = z.object(searchResultShape) satisfies z.ZodType<SearchResult>;

export const countedWord = z.object({
  word: z.string(),
  sessions: z.number(),
  similar: z.string().optional().describe('a word spelled almost alike that does occur'),
});

/** Values, and the number of sessions of each. */
export const facet = z.array(z.object({ value: z.string(), count: z.number() }));

/** What `search --json` prints. */
export const searchResponseShape = {
  query: z.string(),
  also: z.array(z.string()).optional(),
  mode: z.enum(SEARCH_MODES),
  ranking: z.enum(RANKINGS),
  confidence: z.number().nullable(),
  fit: fit.optional(),
  notices: z.array(notice),
  took_ms: z.number(),
  understood: z.array(understood),
  results: z.array(searchResult),
  matched: z.number().optional().describe('sessions that matched; results are the best of them'),
  facets: z
    .object({ repo: facet, agent: facet, branch: facet, month: facet })
    .optional()
    .describe('the sessions that matched, by value, each without its own filter'),
  preferred: z.string().optional(),
  together: z
    .object({
      session_ids: z.array(z.string()),
      coverage: z.number(),
      alone: z.number(),
      text: z.string(),
    })
    .optional()
    .describe('results that only together cover the query'),
  words: z.array(z.object({ word: z.string(), sessions: z.number() })).optional(),
  filters: z
    .array(
      z.object({
        filter: z.string(),
        value: z.string().nullable(),
        sessions: z.number(),
        of: z.number().optional(),
      }),
    )
    .optional(),
  sessions: z.number().optional(),
};

export const searchResponse = z.object(searchResponseShape) satisfies z.ZodType<SearchResponse>;
