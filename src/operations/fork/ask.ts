import { askSession } from '../../app/fork/ask-session.ts';
import { prepareFork } from '../../app/fork/prepare-fork.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { shownRecord } from '../../domain/json/shown-record.ts';
import { count, sessionId, text } from '../fields.ts';
import { operation } from '../operation.ts';

export const ask = operation({
  summary: 'ask a session a question, in a fork that is deleted afterwards',
  effect: 'writes',
  fields: {
    id: sessionId,
    question: text({ about: 'what to ask', min: 1, max: 20_000, required: true }),
    at: count({ about: 'last turn that the fork includes, from 1; default: all' }),
  },
  async run(open, { id, question, at: turn = null }, { directory, tell, signal }) {
    const deps = await open.fork();
    const session = await findSession(await open.store(), id);
    const { agent } = session;
    const { location } = await prepareFork(deps, { session, agent, currentDirectory: directory, turn });
    const request = { session, location, agent, turn, query: null, rank: null, inject: false, name: null };
    const answer = await askSession(deps, request, { question, onCost: tell, signal });
    return { session: shownRecord(session), question, ...answer };
  },
});
