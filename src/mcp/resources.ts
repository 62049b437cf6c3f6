import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { pageContext } from '../app/read/page-context.ts';
import { errorText, SmartForkError } from '../domain/errors.ts';
import type { SessionPayload } from '../domain/point/point.ts';
import { tellApart } from '../domain/session/tell-apart.ts';
import { sanitize, sanitizeLine } from '../domain/text/sanitize.ts';
import { limitFor } from './make-call.ts';
import { chunkReader, openSession, openStore } from './open-store.ts';
import type { LimitedDependencies, McpDependencies } from './tool.ts';

const URI = 'smart-fork://session/{id}';
const LISTED = 50;
const COMPLETED = 50;
const CONTEXT_TOKENS = 8000;
/** From the protocol; the SDK has no name for it. */
const RESOURCE_NOT_FOUND = -32002;

/** Sessions as resources: `smart-fork://session/ID` is the first page of a session's context. */
export function registerSessionResources(server: McpServer, given: McpDependencies): void {
  // The server may replace its parts.
  const deps = (): LimitedDependencies => ({ ...given, limit: () => limitFor(server.server, given) });
  const template = new ResourceTemplate(URI, {
    list: async () => ({
      resources: (await recentSessions(deps())).map((session) => ({
        uri: `smart-fork://session/${session.session_id}`,
        name: sanitizeLine(session.title),
        title: sanitizeLine(session.title),
        description: sanitizeLine(
          `${session.repo_name}, ${session.ended_at?.slice(0, 10) ?? 'date unknown'}`,
        ),
        mimeType: 'text/markdown',
      })),
    }),
    complete: { id: (value) => completeId(value, deps()) },
  });
  const metadata = {
    title: 'A past session',
    description: 'Facts and most important passages of a past session, quoted as data',
    mimeType: 'text/markdown',
  };
  server.registerResource('session', template, metadata, async (uri, { id }) => ({
    contents: [{ uri: uri.href, mimeType: 'text/markdown', text: await readContext(String(id), deps()) }],
  }));
}

async function recentSessions(deps: LimitedDependencies): Promise<SessionPayload[]> {
  if (!deps.parts.storeExists()) return [];
  try {
    return tellApart((await (await openStore(deps)).list({}, LISTED)).sessions);
  } catch (error) {
    deps.log(`cannot list sessions: ${errorText(error)}`);
    return [];
  }
}

/** Ids with this prefix, and ids of recent sessions with this text in their title. */
async function completeId(value: string, deps: LimitedDependencies): Promise<string[]> {
  const wanted = value.trim().toLowerCase();
  const recent = await recentSessions(deps);
  if (wanted === '') return recent.map(({ session_id }) => session_id);
  const titled = recent.filter(({ title }) => title.toLowerCase().includes(wanted));
  const begun = deps.parts.storeExists()
    ? await (await openStore(deps)).findByIdPrefix(wanted, COMPLETED)
    : [];
  return [...new Set([...begun, ...titled].map(({ session_id }) => session_id))];
}

async function readContext(id: string, deps: LimitedDependencies): Promise<string> {
  const { parts } = deps;
  try {
    const session = await openSession(deps, id);
    const { markdown } = await pageContext(
      { ...parts, store: chunkReader(deps) },
      { session, maxTokens: CONTEXT_TOKENS },
    );
    return sanitize(markdown);
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    const code = error.code === 'SESSION_NOT_FOUND' ? RESOURCE_NOT_FOUND : ErrorCode.InternalError;
    throw new McpError(code, error.hint === undefined ? error.message : `${error.message} (${error.hint})`, {
      code: error.code,
    });
  }
}
