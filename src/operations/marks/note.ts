import { noteSession } from '../../app/sessions/mark-session.ts';
import { sessionId, text } from '../fields.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const note = operation({
  summary: 'write or remove the note on a session; without a text, return it',
  effect: 'sends',
  fields: { id: sessionId, text: text({ about: 'text of the note; "" removes it', max: 4000 }) },
  changes: ({ text: given }) => given !== undefined,
  async run(open, { id, text: given }) {
    return noteSession(await opened(open), id, given);
  },
});
