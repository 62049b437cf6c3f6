import { IDEA_KINDS } from '../session/ideas.ts';
import type { RememberedIdea } from '../session/transcript-event.ts';

/** An agent's call of smart-fork. `answers`: it returns sessions, which the agent may repeat. */
interface OwnCall {
  answers: boolean;
}

/**
 * Recognizes an agent's call of smart-fork: of its MCP tools, its program or its skills.
 * @param argument what describes the call best: the command, or the skill's name.
 */
export function ownCallOf(tool: string, argument: string): OwnCall | null {
  const name = MCP_TOOL.exec(tool)?.[1];
  if (name === REMEMBER) return null;
  if (name !== undefined) return { answers: ANSWERING_TOOLS.has(name) };
  if (tool === 'Skill') return OWN_SKILL.test(argument) ? { answers: false } : null;
  return tool === 'Bash' ? ownCommand(argument) : null;
}

/** Claude Code and Codex write the server's name in their own ways; the plugin adds its own. */
const MCP_TOOL = /^mcp__(?:plugin_smart-fork_)?smart[-_]fork__(\w+)$/;
const ANSWERING_TOOLS = new Set([
  ...['fork_detect', 'get_session', 'get_session_context', 'list_sessions'],
  ...['recall', 'list_topics', 'list_open', 'timeline', 'ask_session'],
]);
/** This call is part of the work: the transcript is where the idea is stored. */
const REMEMBER = 'remember';
const SKILLS =
  'fork-detect|fork-session|smart-fork|session-stats|remember|reindex|memory-stats|memory-topics|memory-backfill';
const OWN_SKILL = new RegExp(
  `^(?:smart-fork:(?:${SKILLS})|fork-detect|fork-session|smart-fork|session-stats|remember|memory-(?:stats|topics|backfill))$`,
);

/** A command line that runs nothing but smart-fork. Codex reads a skill by printing its file. */
function ownCommand(command: string): OwnCall | null {
  if (!/smart-fork|fork-(?:detect|session)|remember|memory-/.test(command)) return null;
  if (SKILL_FILE.test(command)) return { answers: false };
  const parts = command.split(/&&|\|\||[;\n]/).filter((part) => !ASIDE.test(part));
  const own = parts.map((part) => PROGRAM.exec(part));
  if (own.length === 0 || own.some((part) => part === null)) return null;
  return { answers: own.some((part) => ANSWERING_COMMANDS.has(part?.[1] ?? 'fork')) };
}

const SKILL_FILE =
  /^\s*(?:cat|sed|head|less|bat)\s[^|;&]*\/(?:smart-fork|fork-detect|fork-session|session-stats|remember|memory-(?:stats|topics|backfill))\/SKILL\.md\S*\s*$/;
const ASIDE = /^\s*(?:(?:cd|echo|export|true|which|command -v)\b.*)?$/;
const PROGRAM =
  /^\s*(?:\w+=\S*\s+)*(?:npx\s+(?:-\S+\s+)*)?(?:[\w~./@-]*\/)?smart-fork(?:\.cmd)?(?:\s+([a-z-]+))?(?=\s|$)/;
const ANSWERING_COMMANDS = new Set([
  ...['search', 'fork', 'show', 'retrieve', 'sessions', 'chain', 'resume'],
  ...['recall', 'topics', 'timeline', 'open'],
]);

/** The idea in a call of smart-fork's tool `remember`; null for any other call, and for an empty one. */
export function rememberedIn(tool: string, input: Record<string, unknown>): RememberedIdea | null {
  const { kind: given, content, entities } = input;
  const kind = IDEA_KINDS.find((one) => one === given);
  if (MCP_TOOL.exec(tool)?.[1] !== REMEMBER || kind === undefined) return null;
  if (typeof content !== 'string' || content.trim() === '') return null;
  const named = Array.isArray(entities) ? entities.filter((one) => typeof one === 'string') : [];
  return { kind, content, entities: named };
}
