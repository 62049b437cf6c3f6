import * as z from 'zod';
import type { AgentDialect } from '../../ports/extractor/language-model.ts';
import { parseJson } from '../jsonl/read-value.ts';

/** A question to `codex exec`. */
const codexEvent = z.object({
  type: z.string(),
  item: z.object({ type: z.string(), text: z.string().optional() }).optional(),
  usage: z.record(z.string(), z.unknown()).optional(),
});

/** Tools that act, read files or start other programs. Web search has a setting of its own. */
const CODEX_TOOLS = [
  'shell_tool',
  'unified_exec',
  'view_image',
  'hooks',
  'plugins',
  'apps',
  'multi_agent',
  'goals',
];

export const codexDialect: AgentDialect = {
  // Without its config.toml, no MCP server is started and no hook is trusted.
  argsFor: (model) => [
    ...['exec', '--ephemeral', '--ignore-user-config', '--ignore-rules', '--skip-git-repo-check'],
    ...['--sandbox', 'read-only', '--json', '--color', 'never', '-c', 'web_search="disabled"'],
    ...CODEX_TOOLS.flatMap((tool) => ['--disable', tool]),
    ...(model === null ? [] : ['--model', model]),
    '-',
  ],
  inputFor: ({ instructions, text }) => `${instructions}\n\nThe session:\n\n${text}`,
  read(out) {
    const events = out.split('\n').flatMap((line) => codexEvent.safeParse(parseJson(line)).data ?? []);
    const said = events.findLast(({ item }) => item?.type === 'agent_message')?.item?.text;
    const usage = events.findLast((event) => event.usage !== undefined)?.usage;
    return said === undefined ? null : { text: said, usage: usage ?? null };
  },
};
