import { writeHtml } from '../../app/read/html/write-html.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { flag, sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const html = operation({
  summary: 'write a session as one HTML document, for a browser without a network',
  effect: 'reads',
  fields: { id: sessionId, thinking: flag({ about: 'with what the model thought' }) },
  async run(open, { id, thinking = false }) {
    const store = await open.store();
    const session = await findSession(store, id);
    return writeHtml({ ...open, store }, session, { thinking, proseHtml: await open.proseHtml() });
  },
});
