import * as z from 'zod';
import type { AgentDialect } from '../../ports/extractor/language-model.ts';
import { parseJson } from '../jsonl/read-value.ts';

/** A question to `claude -p`. */
const claudeResult = z.object({
  type: z.literal('result'),
  is_error: z.literal(false),
  result: z.string(),
  usage: z.record(z.string(), z.unknown()).nullish(),
});

export const claudeDialect: AgentDialect = {
  // Safe mode turns off hooks, plugins, CLAUDE.md and MCP servers, but keeps the login.
  argsFor: (model, { instructions }) => [
    ...['-p', '--safe-mode', '--no-session-persistence', '--strict-mcp-config'],
    ...['--tools', '', '--output-format', 'json', '--system-prompt', instructions],
    ...(model === null ? [] : ['--model', model]),
  ],
  inputFor: ({ text }) => text,
  read(out) {
    const { data } = claudeResult.safeParse(parseJson(out));
    if (data === undefined) return null;
    return { text: data.result, usage: data.usage ?? null };
  },
};
