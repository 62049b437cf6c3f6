import { sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const show = operation({
  summary: 'show a session and its turns',
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const { findSession } = await import('../../app/sessions/find-session.ts');
    const { viewSession } = await import('../../app/read/view-session.ts');
    const store = await open.store();
    return viewSession({ ...open, store }, await findSession(store, id));
  },
});
