import * as z from 'zod';

/** A message to the user in one line, and what to do about it. */
export const notice = z.object({ code: z.string(), message: z.string(), hint: z.string().optional() });

/** For answers that an unreachable server, or transcripts that are not indexed yet, make shorter. */
export const notices = z
  .array(notice)
  .optional()
  .describe('present if the answer could not cover all that was asked');
