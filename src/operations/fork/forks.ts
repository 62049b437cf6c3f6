import { forkTree, readForkLinks } from '../../app/fork/fork-tree.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

/** As many as a machine makes in years. */
const MAX_MADE = 10_000;

export const forks = operation({
  summary: "draw a session's fork tree",
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const store = await open.store();
    const { session_id } = await findSession(store, id);
    const [links, { journal }] = await Promise.all([readForkLinks(store), open.fork()]);
    return forkTree(open, links, session_id, journal.list(MAX_MADE));
  },
});
