import * as z from 'zod';
import { retrieveSession } from '../../app/read/retrieve-session.ts';
import { retrievedJson } from '../../app/read/retrieved-json.ts';
import {
  readEditedFiles,
  readFileEdits,
  readOutline,
  readTurnWindow,
} from '../../app/read/turns/turn-reader.ts';
import { editedFiles, fileDiff, outline, retrieved, turnWindow } from '../../domain/json/conversation.ts';
import { commitUrl } from '../../domain/reader/commit-url.ts';
import { openSession } from '../context.ts';
import { defineRoute } from '../route.ts';
import { count, sessionParams } from '../schemas/inputs.ts';

const MAX_TURNS = 200;

export const getTurns = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}/turns',
  summary: 'A range of turns with their steps',
  tag: 'reader',
  params: sessionParams,
  query: z.object({
    from: z.coerce.number().int().min(0).default(0),
    count: count(MAX_TURNS, 50),
    subagent: z.string().min(1).max(200).optional().describe('subagent id, to read its turns'),
  }),
  output: turnWindow,
  async run({ params, query }, open) {
    const { session, deps } = await openSession(open, params.id);
    return readTurnWindow(deps, session, query);
  },
});

export const getOutline = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}/outline',
  summary: 'One line per turn',
  tag: 'reader',
  params: sessionParams,
  query: z.object({ query: z.string().max(4000).optional().describe('marks the turns that match') }),
  output: outline,
  async run({ params, query }, open) {
    const { session, deps } = await openSession(open, params.id);
    return { turns: await readOutline(deps, session, query.query || undefined) };
  },
});

export const getContext = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}/context',
  summary: "A session's context, as background for an agent",
  tag: 'reader',
  params: sessionParams,
  query: z.object({
    query: z.string().max(4000).optional(),
    max_tokens: z.coerce.number().int().min(200).max(1_000_000).default(8000),
  }),
  output: retrieved,
  async run({ params, query }, open) {
    const { session, deps } = await openSession(open, params.id);
    const wanted = { session, maxTokens: query.max_tokens };
    return retrievedJson(await retrieveSession(deps, { ...wanted, query: query.query || undefined }));
  },
});

export const getFiles = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}/files',
  summary: 'The files that a session changed, and its commits',
  tag: 'reader',
  params: sessionParams,
  output: editedFiles,
  async run({ params }, open) {
    const { session, deps } = await openSession(open, params.id);
    const commits = session.commits.map((commit) => ({
      ...commit,
      url: commitUrl(session.repo_key, commit),
    }));
    return { files: await readEditedFiles(deps, session), commits };
  },
});

export const getDiff = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}/diff',
  summary: 'The edits of one file, in order',
  tag: 'reader',
  params: sessionParams,
  query: z.object({ path: z.string().min(1).max(4096).describe("path as listed in the session's files") }),
  output: fileDiff,
  async run({ params, query: { path } }, open) {
    const { session, deps } = await openSession(open, params.id);
    return { path, edits: await readFileEdits(deps, session, path) };
  },
});
