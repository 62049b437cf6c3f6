import * as z from 'zod';
import { tag } from '../../operations/marks/tag.ts';
import { operationTool } from '../operation-tool.ts';

export const tagSession = operationTool({
  operation: tag,
  name: 'tag_session',
  title: 'Tag a session',
  description:
    'Add or remove tags of a session, to find it again with list_sessions. With neither, returns its tags.',
  names: { id: 'session_id' },
  about: { id: 'session id or unique prefix', add: 'letters, digits, . _ - and /' },
  output: z.object({ session_id: z.string(), tags: z.array(z.string()) }),
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  answer(tagged) {
    const list = tagged.tags.map((one) => `#${one}`).join(' ');
    return { structured: tagged, text: `${tagged.session_id}: ${list || '(no tags)'}` };
  },
});
