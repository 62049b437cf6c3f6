import { forkTree, readForkLinks } from '../../app/fork/fork-tree.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const forks = operation({
  summary: "draw a session's fork tree",
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const store = await open.store();
    const { session_id } = await findSession(store, id);
    return forkTree(open, await readForkLinks(store), session_id);
  },
});
