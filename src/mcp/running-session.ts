import * as z from 'zod';

const id = z
  .string()
  .regex(/^[\w.:-]{1,200}$/)
  .optional()
  .catch(undefined);
const turn = z.looseObject({ thread_id: id, session_id: id });
const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
});
const metadata = z.looseObject({
  threadId: id,
  sessionId: id,
  'x-codex-turn-metadata': z
    .union([turn, json.pipe(turn)])
    .optional()
    .catch(undefined),
});

/**
 * The ids of the running conversation in a call's metadata, most precise first. Codex sends them with each call. A subagent's thread is
 * not the session.
 */
export function sessionIdsIn(meta: unknown): string[] {
  const { data } = metadata.safeParse(meta);
  const named = data?.['x-codex-turn-metadata'];
  const ids = [data?.threadId, named?.thread_id, data?.sessionId, named?.session_id];
  return [...new Set(ids.filter((one) => one !== undefined))];
}
