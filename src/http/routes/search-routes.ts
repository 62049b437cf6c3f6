import * as z from 'zod';
import { idsIn } from '../../compose/serve/ask-server.ts';
import { searchResponse } from '../../domain/json/search.ts';
import type { SearchResponse } from '../../domain/search-result.ts';
import { MARKERS } from '../../domain/session/session.ts';
import { passages } from '../../operations/search/passages.ts';
import { search } from '../../operations/search/search.ts';
import type { RequestContext } from '../context.ts';
import { operationRoute } from '../operation-route.ts';
import { namesOf, namesShape, parentsOf } from '../short-ids.ts';

const searching = {
  operation: search,
  path: '/api/v1/search',
  tag: 'search',
  output: searchResponse.extend(namesShape),
  answer: async (found: SearchResponse, open: RequestContext) => ({
    ...found,
    ...(await namesOf(open, idsIn(found), parentsOf(found.results))),
  }),
  // A page of results.
  defaults: { limit: 20 },
  narrow: { query: { min: 1, max: 4000, required: true } },
} as const;

export const searchByAddress = operationRoute({ ...searching, method: 'get' });

export const searchByBody = operationRoute({
  ...searching,
  method: 'post',
  summary: 'The same, with a request body',
});

/** Listed in the requirements document. */
export const postChunksSearch = operationRoute({
  operation: passages,
  method: 'post',
  path: '/chunks/search',
  tag: 'requirements',
  output: z.object({
    query: z.string(),
    chunks: z.array(
      z.object({
        id: z.string(),
        session_id: z.string(),
        chunk_index: z.number(),
        text: z.string(),
        score: z.number().describe('comparable within this answer only'),
        turn: z.number(),
        timestamp: z.string().nullable(),
        project: z.string(),
        memory_types: z.array(z.enum(MARKERS)),
      }),
    ),
  }),
});
