import { summarizeSession } from '../../app/memory/summarize-session.ts';
import { viewSession } from '../../app/read/view-session.ts';
import { withHashes } from '../../app/read/with-hashes.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { locateSession } from '../../app/sessions/locate-session.ts';
import { sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const show = operation({
  summary: 'show a session and its turns',
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const store = await open.store();
    const session = await withHashes(open.git, await findSession(store, id));
    const location = locateSession(open, session);
    const view = await viewSession({ ...open, store }, session, location);
    const summary = await summarizeSession({ ...open, store }, session);
    return {
      ...view,
      summary,
      usage: await open.reports.sessionUsage(session.session_id, location.transcript),
    };
  },
});
