import { compareSessions } from '../../app/read/compare-sessions.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { sessionId } from '../fields.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const compare = operation({
  summary: 'compare two sessions: prompts, decisions, files and commits',
  effect: 'reads',
  fields: { id: sessionId, other: sessionId },
  async run(open, { id, other }) {
    const parts = await opened(open);
    const [first, second] = [await findSession(parts.store, id), await findSession(parts.store, other)];
    if (first.session_id === second.session_id)
      throw new SmartForkError('USAGE', `${id} and ${other} are the same session`, {
        hint: 'smart-fork show prints a single session.',
      });
    return compareSessions(parts, first, second);
  },
});
