import { summarizeSession } from '../../app/memory/summarize-session.ts';
import { type RetrievedContext, retrieveSession } from '../../app/read/retrieve-session.ts';
import { type RetrievedPart, retrieveSessions } from '../../app/read/retrieve-sessions.ts';
import { retrievedFields, retrievedJson } from '../../app/read/retrieved-json.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { HISTORY_NOTICE, summaryContext } from '../../domain/own/context-text.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { Caller } from '../caller.ts';
import { flag, type Input, number, sessionIds, text } from '../fields.ts';
import { type Open, opened } from '../open.ts';
import { operation } from '../operation.ts';

const MIN_TOKENS = 200;

const fields = {
  ids: {
    ...sessionIds,
    about: 'session ids or prefixes; several share the budget, and shared passages are printed once',
    required: true as const,
  },
  query: text({ about: 'prefer passages that match this query', max: 4000, also: 'q', alias: 'q' }),
  max_tokens: number({ about: 'maximum length of the text in tokens', min: MIN_TOKENS, default: 8000 }),
  full: flag({ about: 'print the whole conversation' }),
  summary: flag({ about: 'print only what was asked, decided, found, done and left open' }),
};

export const retrieve = operation({
  summary: 'print the context of one or several sessions, as background for an agent',
  effect: 'reads',
  fields,
  async run(open, input, caller) {
    return retrievedAnswer(await retrieveContexts(open, input, caller));
  },
});

/** The contexts of the sessions, in the order of their ids; with `summary`, their summaries. */
export async function retrieveContexts(
  open: Open,
  input: Input<typeof fields>,
  caller: Pick<Caller, 'nameOf'>,
): Promise<RetrievedContext[] | RetrievedPart[]> {
  const contexts = await readContexts(open, input, caller);
  if (input.summary !== true) return contexts;
  const parts = await opened(open);
  const summarized = contexts.map(async (one) => {
    const summary = await summarizeSession(parts, one.session);
    return { ...one, passages: [], summary, markdown: summaryContext(one.session, summary) };
  });
  return Promise.all(summarized);
}

async function readContexts(
  open: Open,
  { ids, query, max_tokens, full }: Input<typeof fields>,
  { nameOf }: Pick<Caller, 'nameOf'>,
): Promise<RetrievedContext[] | RetrievedPart[]> {
  const parts = await opened(open);
  const sessions = new Map<string, SessionPayload>();
  for (const id of ids) {
    const session = await findSession(parts.store, id);
    sessions.set(session.session_id, session);
  }
  const request = { maxTokens: full === true ? null : max_tokens, query: query || undefined };
  const [first, ...others] = sessions.values();
  if (first === undefined) return [];
  if (others.length === 0) return [await retrieveSession(parts, { session: first, ...request })];
  const fewest = MIN_TOKENS * sessions.size;
  if (request.maxTokens !== null && request.maxTokens < fewest)
    throw new SmartForkError(
      'USAGE',
      `${nameOf('max_tokens')} ${request.maxTokens} is too small for ${sessions.size} sessions`,
      { hint: `Allow at least ${fewest}: ${MIN_TOKENS} for each session.` },
    );
  return retrieveSessions(parts, { sessions: [first, ...others], ...request });
}

/** One context as `retrieve --format json` prints it, or several. */
export async function retrievedAnswer(contexts: (RetrievedContext | RetrievedPart)[]) {
  const [first, ...others] = contexts;
  if (first !== undefined && others.length === 0) return retrievedJson(first);
  return {
    notice: HISTORY_NOTICE,
    sessions: contexts.map((one) => ({
      ...retrievedFields(one),
      repeated_passages: 'repeated' in one ? one.repeated : 0,
    })),
  };
}
