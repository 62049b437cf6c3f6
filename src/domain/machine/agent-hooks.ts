import type { Agent } from '../session/session.ts';

/** The events of Claude Code and of Codex after which smart-fork looks at a transcript, and its own word for each. */
export const HOOK_EVENTS = {
  Stop: 'stop',
  SubagentStop: 'subagent-stop',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
} as const;
export type HookEvent = keyof typeof HOOK_EVENTS;

/** The name of the MCP server in an agent's settings. */
export const SERVER_NAME = 'smart-fork';

export interface HookEntry {
  event: HookEvent;
  /** A line for the shell. */
  command: string;
  /** Seconds. */
  timeout: number;
}

export interface ServerEntry {
  command: string;
  args: string[];
}

/** How smart-fork is started on this machine, whatever PATH an agent has: both are absolute. */
export interface Launch {
  node: string;
  /** The file behind `smart-fork`. */
  program: string;
}

export function hookEntries(agent: Agent, launch: Launch, platform: NodeJS.Platform): HookEntry[] {
  const events = Object.keys(HOOK_EVENTS) as HookEvent[];
  return events.map((event) => ({
    event,
    command: hookCommand(launch, event, platform),
    timeout: agent === 'codex' && event === 'SessionEnd' ? CODEX_END_TIMEOUT : TIMEOUT,
  }));
}

export function serverEntry({ node, program }: Launch): ServerEntry {
  return { command: node, args: [program, 'mcp'] };
}

/** Whether a hook's command is one of ours: written by `init`, or by hand as docs/hooks.md shows. */
export function isOurHook(command: string): boolean {
  return OUR_COMMAND.test(command) || OUR_PROGRAM.test(command);
}

/** Whether an MCP server's command is one of ours, of this installation or another. */
export function isOurServer({ command, args }: ServerEntry): boolean {
  const program = [command, ...args.slice(0, -1)].join(' ');
  return args.at(-1) === 'mcp' && /smart-fork|[/\\]dist[/\\](?:bin\.cjs|cli[/\\]main\.js)$/.test(program);
}

/** Claude ends a SessionEnd hook after a second and a half, unless it is told otherwise. */
const TIMEOUT = 10;
/** Codex warns of more. */
const CODEX_END_TIMEOUT = 3;

const WORDS = Object.values(HOOK_EVENTS).join('|');
const OUR_COMMAND = new RegExp(
  `(?:^|[\\s"'/\\\\])smart-fork(?:\\.cmd|\\.exe)?["']?\\s+hook\\s+(?:${WORDS})(?![\\w-])`,
);
const OUR_PROGRAM = new RegExp(
  `[/\\\\]dist[/\\\\](?:bin\\.cjs|cli[/\\\\]main\\.js)["']?\\s+hook\\s+(?:${WORDS})(?![\\w-])`,
);

/** Ends with 0 also when smart-fork was taken off the machine: an agent shows its user any other ending. */
function hookCommand({ node, program }: Launch, event: HookEvent, platform: NodeJS.Platform): string {
  return `${quote(node, platform)} ${quote(program, platform)} hook ${HOOK_EVENTS[event]} || exit 0`;
}

/** Windows has no single quotes; slashes instead of backslashes do in both of its shells. */
function quote(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `"${path.replaceAll('\\', '/')}"`;
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
