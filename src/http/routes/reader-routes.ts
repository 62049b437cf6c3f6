import * as z from 'zod';
import {
  fileDiff,
  editedFiles as filesOfSession,
  filesOfSessions,
  outline,
  retrieved,
  sessionHtml,
  turnWindow,
} from '../../domain/json/conversation.ts';
import { perform } from '../../operations/operation.ts';
import { editedFiles } from '../../operations/read/edited-files.ts';
import { html } from '../../operations/read/html.ts';
import * as reader from '../../operations/read/reader.ts';
import { retrieve } from '../../operations/read/retrieve.ts';
import { callerOf, operationRoute, operationsOf } from '../operation-route.ts';
import { defineRoute } from '../route.ts';
import { sessionParams } from '../schemas/inputs.ts';

export const getTurns = operationRoute({
  operation: reader.turns,
  method: 'get',
  path: '/api/v1/sessions/{id}/turns',
  tag: 'reader',
  output: turnWindow,
});

export const getOutline = operationRoute({
  operation: reader.outline,
  method: 'get',
  path: '/api/v1/sessions/{id}/outline',
  tag: 'reader',
  output: outline,
});

/** As data: the page saves the document, and no page of this origin shows it. */
export const getHtml = operationRoute({
  operation: html,
  method: 'get',
  path: '/api/v1/sessions/{id}/html',
  tag: 'reader',
  output: sessionHtml,
});

export const getFiles = operationRoute({
  operation: reader.files,
  method: 'get',
  path: '/api/v1/sessions/{id}/files',
  tag: 'reader',
  output: filesOfSession,
});

export const getEditedFiles = operationRoute({
  operation: editedFiles,
  method: 'get',
  path: '/api/v1/files',
  tag: 'reader',
  output: filesOfSessions,
});

export const getDiff = operationRoute({
  operation: reader.diff,
  method: 'get',
  path: '/api/v1/sessions/{id}/diff',
  tag: 'reader',
  output: fileDiff,
});

/** Of one session: its id is in the path. */
export const getContext = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}/context',
  summary: "A session's context, as background for an agent",
  tag: 'reader',
  params: sessionParams,
  query: z.object({
    query: z.string().max(4000).optional(),
    q: z.string().max(4000).optional(),
    max_tokens: z.coerce.number().int().min(200).max(1_000_000).default(8000),
  }),
  output: retrieved,
  run: async ({ params, query }, open) =>
    (await perform(retrieve, operationsOf(open), { ids: [params.id], ...query }, callerOf())) as never,
});
