import * as z from 'zod';

/** What a worker writes about itself. Times are ISO 8601 UTC. */
export const workerRecord = z.object({
  pid: z.number().nullable().describe('null once it has ended'),
  since: z.string(),
  state: z.enum(['working', 'embedding', 'paused', 'idle', 'ended']),
  lastJob: z
    .object({ sessionId: z.string().nullable(), path: z.string().nullable(), at: z.string(), ms: z.number() })
    .nullable(),
  lastError: z.object({ message: z.string(), at: z.string() }).nullable(),
  jobs: z.number().describe('since it started'),
  embedded: z.number(),
  left: z.number().optional().describe('changed transcripts that are not indexed yet'),
  refreshedAt: z.string().nullable().describe('when the words of sessions that grew were last refreshed'),
  helpedAt: z.string().nullable().describe('when it last found no text of another machine to embed'),
});
