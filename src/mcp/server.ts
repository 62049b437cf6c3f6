import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ToolListing,
} from '@modelcontextprotocol/sdk/types.js';
import { callTool } from './call-tool.ts';
import { listTool } from './list-tool.ts';
import { createCall, type RequestExtra } from './make-call.ts';
import { registerSessionResources } from './resources.ts';
import { INSTRUCTIONS } from './text/instructions.ts';
import type { McpDependencies } from './tool.ts';
import { OPTIONAL_TOOLS, TOOLS } from './tools/all-tools.ts';
import { smartFork } from './tools/smart-fork.ts';

/** The MCP server, not connected yet. Opens nothing before a call needs it. */
export function createServer(deps: McpDependencies): McpServer {
  const server = new McpServer(
    { name: 'smart-fork', title: 'Smart-fork', version: deps.version },
    { instructions: INSTRUCTIONS },
  );
  registerTools(server, deps);
  registerSessionResources(server, deps);
  return server;
}

/**
 * Registers the tools without `registerTool`, whose errors for invalid arguments have a different shape than ours.
 */
function registerTools({ server }: McpServer, deps: McpDependencies): void {
  let listing: ToolListing[] | null = null;
  let running = 0;
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(ListToolsRequestSchema, () => {
    const chosen = OPTIONAL_TOOLS.filter(({ setting }) => deps.parts.config.optionalTools.includes(setting));
    listing ??= [...TOOLS, ...chosen.map(({ tool }) => tool)].map(listTool);
    return { tools: listing };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra: RequestExtra) => {
    const optional = OPTIONAL_TOOLS.find(({ tool }) => tool.name === params.name);
    if (optional !== undefined && !deps.parts.config.optionalTools.includes(optional.setting))
      throw new McpError(
        ErrorCode.InvalidParams,
        `the tool ${params.name} is off; a user turns it on: smart-fork config set ${optional.setting} true`,
      );
    const tool = optional?.tool ?? [...TOOLS, smartFork].find(({ name }) => name === params.name);
    if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`);
    if (running === 0) await deps.parts.noticeChanges();
    running += 1;
    try {
      return await callTool(tool, params.arguments, createCall(server, deps, extra));
    } finally {
      running -= 1;
    }
  });
}
