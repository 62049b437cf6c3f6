import * as z from 'zod';

/** What a worker writes about itself. */
export const workerRecord = z.object({
  pid: z.number().nullable(),
  since: z.string(),
  state: z.enum(['working', 'embedding', 'paused', 'idle', 'ended']),
  lastJob: z
    .object({ sessionId: z.string().nullable(), path: z.string().nullable(), at: z.string(), ms: z.number() })
    .nullable(),
  lastError: z.object({ message: z.string(), at: z.string() }).nullable(),
  jobs: z.number(),
  embedded: z.number(),
  left: z.number().optional().describe('changed transcripts that are not indexed yet'),
  refreshedAt: z.string().nullable(),
  helpedAt: z.string().nullable(),
});
