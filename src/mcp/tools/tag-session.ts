import * as z from 'zod';
import { tagSession as changeTags } from '../../app/sessions/tag-session.ts';
import { openStore } from '../open-store.ts';
import { sessionId } from '../schemas.ts';
import { defineTool } from '../tool.ts';

const tags = z.array(z.string().min(1).max(51)).max(20);

export const tagSession = defineTool({
  name: 'tag_session',
  title: 'Tag a session',
  description:
    'Add or remove tags of a session, to find it again with list_sessions. With neither, returns its tags.',
  input: z.strictObject({
    session_id: sessionId,
    add: tags.default([]).describe('letters, digits, . _ - and /'),
    remove: tags.default([]),
  }),
  output: z.object({ session_id: z.string(), tags: z.array(z.string()) }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ session_id, add, remove }, call) {
    const tagged = await changeTags(await openStore(call), session_id, { add, remove });
    const list = tagged.tags.map((tag) => `#${tag}`).join(' ');
    return { structured: tagged, text: `${tagged.session_id}: ${list || '(no tags)'}` };
  },
});
