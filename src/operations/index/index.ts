import { indexTranscripts } from '../../app/index/index-transcripts.ts';
import { findTranscript } from '../../app/sessions/find-session.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { flag, optionalSessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const index = operation({
  summary: 'index the transcripts on this machine for search by keyword',
  effect: 'sends',
  fields: {
    session: { ...optionalSessionId, about: 'only this session (default: all that changed)' },
    force: flag({ about: 'read every transcript again, even unchanged ones' }),
  },
  async run(open, { session, force = false }, { signal }) {
    const file = session === undefined ? undefined : findTranscript(open.sources, session);
    if (file === null)
      throw new SmartForkError('SESSION_NOT_FOUND', `session ${session} has no transcript on this machine`);
    return indexTranscripts(await open.indexing(), { files: file && [file], force, signal });
  },
});
