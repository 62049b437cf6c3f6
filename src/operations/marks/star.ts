import { starSession } from '../../app/sessions/mark-session.ts';
import { flag, sessionIds } from '../fields.ts';
import { operation } from '../operation.ts';

export const star = operation({
  summary: 'star sessions, or remove their stars',
  effect: 'sends',
  fields: { ids: { ...sessionIds, required: true }, remove: flag({ about: 'remove the stars', alias: 'd' }) },
  async run(open, { ids, remove }) {
    const store = await open.store();
    const sessions = [];
    for (const id of ids) sessions.push(await starSession(store, id, remove !== true));
    return { sessions };
  },
});
