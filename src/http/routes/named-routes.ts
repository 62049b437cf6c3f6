import * as z from 'zod';
import { readFilter } from '../../app/search/read-filter.ts';
import { searchChunks } from '../../app/search/search-chunks.ts';
import { findTranscript } from '../../app/sessions/find-session.ts';
import { readStats } from '../../compose/reports/read-stats.ts';
import { queueJob } from '../../compose/worker.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { stats } from '../../domain/json/state.ts';
import { MARKERS } from '../../domain/session/session.ts';
import { openStore, searchDependencies } from '../context.ts';
import { defineRoute } from '../route.ts';
import { filterQuery, sessionParams } from '../schemas/inputs.ts';
import { describedSession, describeSession } from './session-routes.ts';

/** Routes listed in the requirements document. */

export const postChunksSearch = defineRoute({
  method: 'post',
  path: '/chunks/search',
  summary: 'The best matching passages of all sessions',
  tag: 'requirements',
  body: filterQuery.extend({
    query: z.string().trim().min(1).max(4000),
    limit: z.int().min(1).max(200).default(10),
  }),
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
  async run({ body: { query, limit, ...filters } }, open) {
    const filter = await readFilter(filters, open.parts);
    const found = await searchChunks(await searchDependencies(open), { query, limit, filter });
    const chunks = found.map(({ id, score, chunk }) => ({
      id,
      session_id: chunk.session_id,
      chunk_index: chunk.chunk_index,
      text: chunk.content.slice(chunk.overlap),
      score,
      turn: chunk.turn,
      timestamp: chunk.timestamp,
      project: chunk.repo_name,
      memory_types: chunk.markers,
    }));
    return { query, chunks };
  },
});

export const postSessionsIndex = defineRoute({
  method: 'post',
  path: '/sessions/index',
  summary: 'Index one session of this machine, or all that changed',
  tag: 'requirements',
  body: z.strictObject({
    session_id: z.string().min(4).max(200).optional().describe('default: all sessions that have changed'),
  }),
  output: z.object({ queued: z.literal(true), session_id: z.string().nullable() }),
  status: 202,
  async run({ body }, { parts }) {
    const file = body.session_id === undefined ? null : findTranscript(parts.sources, body.session_id);
    if (body.session_id !== undefined && file === null) {
      throw new SmartForkError(
        'SESSION_NOT_FOUND',
        `session ${body.session_id} has no transcript on this machine`,
      );
    }
    const at = new Date(parts.machine.now()).toISOString();
    const sessionId = file?.sessionId ?? null;
    queueJob(parts.config.home, { event: 'changed', transcriptPath: file?.path ?? null, sessionId, at });
    return { queued: true as const, session_id: sessionId };
  },
});

export const getNamedSession = defineRoute({
  method: 'get',
  path: '/sessions/{id}',
  summary: 'As /api/v1/sessions/{id}',
  tag: 'requirements',
  params: sessionParams,
  output: describedSession,
  run: ({ params }, open) => describeSession(params.id, open),
});

export const getNamedStats = defineRoute({
  method: 'get',
  path: '/stats',
  summary: 'As /api/v1/stats',
  tag: 'requirements',
  query: filterQuery,
  output: stats,
  async run({ query }, open) {
    await openStore(open);
    return readStats(open.parts, await readFilter(query, open.parts));
  },
});
