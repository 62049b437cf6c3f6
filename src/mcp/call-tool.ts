import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { SmartForkError } from '../domain/errors.ts';
import { comesFirst } from '../domain/outage.ts';
import type { Notice } from '../domain/search-result.ts';
import { sanitize } from '../domain/text/sanitize.ts';
import { plural } from '../domain/text/time-text.ts';
import { countLeftOut } from './open-store.ts';
import type { Call, Tool } from './tool.ts';

/** Runs a tool and converts its answer or its error for the protocol. Never throws. */
export async function callTool(tool: Tool, input: unknown, call: Call): Promise<CallToolResult> {
  try {
    const { structured, text, notices: lacking = [], failed } = await tool.run(input, call);
    // The tool has succeeded: its answer does not depend on a count.
    const leftOut = await leftOutNotices(call).catch(() => []);
    const notices = [...lacking.filter(comesFirst), ...call.parts.notices(), ...leftOut].map(noticeText);
    const lines = notices.map((notice) => `note: ${notice}`);
    return {
      isError: failed,
      content: [{ type: 'text', text: sanitize([...lines, text].join('\n')) }],
      structuredContent: sanitizeDeep({
        ...structured,
        notices: notices.length > 0 ? notices : undefined,
      }) as Record<string, unknown>,
    };
  } catch (error) {
    return errorResult(error, call);
  }
}

/** How many sessions the client may not see, and nothing else of them. */
async function leftOutNotices(call: Call): Promise<Notice[]> {
  const count = await countLeftOut(call);
  if (count === 0) return [];
  const { scope } = call.parts.config.search;
  return [{ code: 'LEFT_OUT', message: `${plural(count, 'session')} left out: search.scope is ${scope}` }];
}

function noticeText({ message, hint }: Notice): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/** The only place that converts errors for the protocol. */
function errorResult(error: unknown, call: Call): CallToolResult {
  const known = error instanceof SmartForkError;
  if (!known && !call.signal.aborted)
    call.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const code = known ? error.code : 'INTERNAL';
  const message = sanitize(error instanceof Error ? error.message : String(error));
  const hint = known ? error.hint : 'This is a bug in smart-fork; the log of the server has the details.';
  const lines = [`error ${code}: ${message}`, ...(hint === undefined ? [] : [`hint: ${hint}`])];
  return {
    isError: true,
    content: [{ type: 'text', text: lines.join('\n') }],
    _meta: { 'smart-fork/error': { code, message, hint } },
  };
}

/** Removes anything that could control the terminal, because every answer quotes transcripts. */
function sanitizeDeep(value: unknown): unknown {
  if (typeof value === 'string') return sanitize(value);
  if (Array.isArray(value)) return value.map(sanitizeDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sanitizeDeep(inner)]));
}
