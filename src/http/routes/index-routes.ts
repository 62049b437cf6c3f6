import * as z from 'zod';
import { findTranscript } from '../../app/sessions/find-session.ts';
import { queueJob } from '../../compose/worker.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { defineRoute } from '../route.ts';

/** Listed in the requirements document. */
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
