import { findLost } from '../../app/compaction/find-lost.ts';
import { isFolderWithin } from '../../app/search/limit-store.ts';
import { findTranscript } from '../../app/sessions/find-session.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { number, optionalSessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const lost = operation({
  summary: 'show what the summary of the last compaction left out',
  effect: 'reads',
  fields: {
    id: { ...optionalSessionId, about: 'session id or prefix (default: the running session)' },
    max_tokens: number({ about: 'maximum length of the text in tokens', min: 100, default: 2000 }),
  },
  async run(open, { id, max_tokens }, { running }) {
    const ids = id === undefined ? running : [id];
    if (ids.length === 0)
      throw new SmartForkError('USAGE', 'not running inside a session', {
        hint: 'Give the id of a session. smart-fork sessions lists ids.',
      });
    const file = ids.map((one) => findTranscript(open.sources, one)).find((one) => one !== null);
    const source = open.sources.find(({ agent }) => agent === file?.agent);
    const limit = await open.limit();
    const folder = file === undefined || source === undefined ? null : source.head(file).workingDirectory;
    const isHidden = limit !== null && id !== undefined && !isFolderWithin(limit, folder, open.probe);
    if (file === undefined || source === undefined || isHidden)
      throw new SmartForkError('SESSION_NOT_FOUND', `no transcript of ${ids.join(' or ')} on this machine`, {
        hint: 'Compactions are only in the transcript; smart-fork restore restores an archived one.',
      });
    return findLost(open, { source, file, maxTokens: max_tokens });
  },
});
