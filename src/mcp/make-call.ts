import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { type Limit, limitOf } from '../app/search/limit-store.ts';
import { runningSessions } from '../compose/sessions/running-sessions.ts';
import { hasSkill } from '../compose/setup/skills.ts';
import { processEnvironment } from '../config/environment.ts';
import { errorText } from '../domain/errors.ts';
import { inSessionCommand, type SkillPlaces } from './fork/in-session-command.ts';
import type { Call, McpDependencies } from './tool.ts';

export type RequestExtra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type ProtocolServer = McpServer['server'];

/** Long enough for a user to answer. */
const ASK_TIMEOUT_MS = 15 * 60_000;
const PROGRESS_EVERY_MS = 250;

export function createCall(server: ProtocolServer, deps: McpDependencies, extra: RequestExtra): Call {
  const { signal } = extra;
  const hasForms = server.getClientCapabilities()?.elicitation?.form !== undefined;
  return {
    ...deps,
    signal,
    progress: progressOf(deps, extra),
    ask: hasForms ? (form) => server.elicitInput(form, { timeout: ASK_TIMEOUT_MS, signal }) : null,
    inSessionCommand: (id) => inSessionCommand(server.getClientVersion()?.name ?? '', skillsOf(deps), id),
    running: [...new Set([...sessionIdsIn(extra._meta), ...runningSessions(deps.parts)])],
    project: () => projectOf(server, deps),
    limit: () => limitFor(server, deps),
  };
}

function skillsOf({ fromPlugin, parts }: McpDependencies): SkillPlaces {
  return {
    fromPlugin,
    isInstalled: (agent, name) => hasSkill(parts.config, processEnvironment(), agent, name),
  };
}

function progressOf(deps: McpDependencies, extra: RequestExtra): Call['progress'] {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let toldAt = 0;
  let last = -1;
  return (message, done, total) => {
    const now = Date.now();
    // The protocol requires progress to increase.
    if (extra.signal.aborted || now - toldAt < PROGRESS_EVERY_MS || done <= last) return;
    toldAt = now;
    last = done;
    extra
      .sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: done, message, total },
      })
      .catch((error) => deps.log(`cannot send progress: ${errorText(error)}`));
  };
}

/** What the client may see, by the user's settings. */
export async function limitFor(server: ProtocolServer, deps: McpDependencies): Promise<Limit | null> {
  const { scope } = deps.parts.config.search;
  return scope === 'all' ? null : limitOf(scope, await projectOf(server, deps), deps.parts.probe);
}

/** The agent's project, or else the client's first root, or else the folder in which the server runs. */
async function projectOf(server: ProtocolServer, deps: McpDependencies): Promise<string | null> {
  const { projectDirectory } = deps.parts.config;
  if (projectDirectory !== null) return projectDirectory;
  if (server.getClientCapabilities()?.roots !== undefined) {
    try {
      const { roots } = await server.listRoots(undefined, { timeout: 2000 });
      const first = roots.find(({ uri }) => uri.startsWith('file://'));
      if (first !== undefined) return fileURLToPath(first.uri);
    } catch (error) {
      deps.log(`cannot list the client's roots: ${errorText(error)}`);
    }
  }
  return deps.inProject ? deps.workingDirectory : null;
}

const id = z
  .string()
  .regex(/^[\w.:-]{1,200}$/)
  .optional()
  .catch(undefined);
const turn = z.looseObject({ thread_id: id, session_id: id });
const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('not JSON');
    return z.NEVER;
  }
});
const metadata = z.looseObject({
  threadId: id,
  sessionId: id,
  'x-codex-turn-metadata': z
    .union([turn, json.pipe(turn)])
    .optional()
    .catch(undefined),
});

/**
 * The ids of the running conversation in a call's metadata, most precise first. Codex sends them with each call. A subagent's thread is
 * not the session.
 */
function sessionIdsIn(meta: unknown): string[] {
  const { data } = metadata.safeParse(meta);
  const named = data?.['x-codex-turn-metadata'];
  const ids = [data?.threadId, named?.thread_id, data?.sessionId, named?.session_id];
  return [...new Set(ids.filter((one) => one !== undefined))];
}
