import { randomUUID } from 'node:crypto';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createServer } from '../../mcp/server.ts';
import type { HttpDependencies, RequestContext } from '../context.ts';
import { HttpProblem } from '../problem.ts';
import { MAX_MCP_BYTES } from '../security/bodies.ts';

interface Client {
  transport: WebStandardStreamableHTTPServerTransport;
  server: McpServer;
  /** Brings its parts up to date, as `PartsInUse` does for a request. */
  refresh(): Promise<void>;
}

/** Clients that leave without closing their session are dropped, least recently active first. */
const MAX_CLIENTS = 64;

/** The MCP server over Streamable HTTP: one server per client, sharing the same parts. */
export function addMcp(app: OpenAPIHono, deps: HttpDependencies): void {
  const clients = new Map<string, Client>();
  app.all('/mcp', async (c) => {
    const id = c.req.header('mcp-session-id');
    const known = id === undefined ? undefined : clients.get(id);
    if (id !== undefined && known === undefined)
      throw new HttpProblem(404, 'NO_SUCH_CLIENT', 'unknown MCP session');
    if (known !== undefined && id !== undefined) {
      clients.delete(id);
      clients.set(id, known);
      await known.refresh();
      return known.transport.handleRequest(c.req.raw);
    }
    const transport = await connect(deps, clients);
    return transport.handleRequest(c.req.raw);
  });
}

async function connect(
  deps: HttpDependencies,
  clients: Map<string, Client>,
): Promise<WebStandardStreamableHTTPServerTransport> {
  const ofClient = mcpDependencies(deps, await deps.parts.use(async (open) => open));
  const server = createServer(ofClient);
  const refresh = () =>
    deps.parts.use(async (open) => {
      ofClient.parts = mcpDependencies(deps, open).parts;
    });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    maxRequestBodySize: MAX_MCP_BYTES,
    onsessioninitialized(id) {
      clients.set(id, { transport, server, refresh });
      const [oldest] = clients.size > MAX_CLIENTS ? clients : [];
      if (oldest === undefined) return;
      clients.delete(oldest[0]);
      oldest[1].server.close().catch((error: unknown) => deps.log(String(error)));
    },
    onsessionclosed: (id) => {
      clients.delete(id);
    },
  });
  await server.connect(transport);
  return transport;
}

/** The HTTP server itself picks up changes, for all clients together. */
function mcpDependencies({ version, log }: HttpDependencies, { parts }: RequestContext) {
  const shared = { ...parts, noticeChanges: async () => undefined };
  return {
    parts: shared,
    version,
    workingDirectory: process.cwd(),
    fromPlugin: false,
    inProject: false,
    log,
  };
}
