import {
  readEditedFiles,
  readFileEdits,
  readOutline,
  readTurnWindow,
} from '../../app/read/turns/turn-reader.ts';
import { withHashes } from '../../app/read/with-hashes.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { commitUrl } from '../../domain/session/repository.ts';
import { count, number, sessionId, text } from '../fields.ts';
import type { Open } from '../open.ts';
import { operation } from '../operation.ts';

/** What a reader of a session turns over: windows of turns, an outline, files and their edits. */

export const turns = operation({
  summary: 'read a range of turns with their steps',
  effect: 'reads',
  fields: {
    id: sessionId,
    from: number({ about: 'first turn, from 0', whole: true, min: 0, default: 0 }),
    count: count({ about: 'number of turns', max: 200, default: 50 }),
    subagent: text({ about: 'subagent id, to read its turns', min: 1, max: 200 }),
  },
  async run(open, { id, ...wanted }) {
    const { deps, session } = await sessionToRead(open, id);
    return readTurnWindow(deps, session, wanted);
  },
});

export const outline = operation({
  summary: 'list the turns of a session, a line each',
  effect: 'reads',
  fields: { id: sessionId, query: text({ about: 'marks the turns that match', max: 4000, also: 'q' }) },
  async run(open, { id, query }) {
    const { deps, session } = await sessionToRead(open, id);
    return { turns: await readOutline(deps, session, query || undefined) };
  },
});

export const files = operation({
  summary: 'list the files that a session changed, and its commits',
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const { deps, session } = await sessionToRead(open, id);
    const { commits: made } = await withHashes(open.git, session);
    const commits = made.map((commit) => ({ ...commit, url: commitUrl(session.repo_key, commit) }));
    return { files: await readEditedFiles(deps, session), commits };
  },
});

export const diff = operation({
  summary: 'show the edits of one file, in order',
  effect: 'reads',
  fields: {
    id: sessionId,
    path: text({ about: "path as listed in the session's files", min: 1, max: 4096, required: true }),
  },
  async run(open, { id, path }) {
    const { deps, session } = await sessionToRead(open, id);
    return { path, edits: await readFileEdits(deps, session, path) };
  },
});

async function sessionToRead(open: Open, id: string) {
  const store = await open.store();
  return { deps: { ...open, store }, session: await findSession(store, id) };
}
