import { AGENT_ROWS, type Agent } from '../agent/agents.ts';

/**
 * The agents' events that start smart-fork, and its own name for each. A prompt event suggests a session if
 * `memory.suggest` allows it; all others index the transcript.
 */
export const HOOK_EVENTS = {
  Stop: 'stop',
  SubagentStop: 'subagent-stop',
  SessionStart: 'session-start',
  SessionEnd: 'session-end',
  UserPromptSubmit: 'user-prompt-submit',
} as const;
export type HookEvent = keyof typeof HOOK_EVENTS;

/** The name of the MCP server in an agent's settings. */
export const SERVER_NAME = 'smart-fork';

export interface HookEntry {
  event: HookEvent;
  /** A shell command line. */
  command: string;
  /** Seconds. */
  timeout: number;
}

export interface ServerEntry {
  command: string;
  args: string[];
}

/** How to start smart-fork on this machine. Both paths are absolute, so that it works with any PATH. */
export interface Launch {
  node: string;
  /** The script that `smart-fork` runs. */
  program: string;
}

export const ALL_EVENTS = Object.keys(HOOK_EVENTS) as HookEvent[];

/**
 * @param suggests whether a session is suggested with each prompt; if not, there is no hook for prompts.
 * @param events those that the agent has
 */
export function hookEntries(
  agent: Agent,
  launch: Launch,
  platform: NodeJS.Platform,
  suggests = false,
  events: readonly HookEvent[] = ALL_EVENTS,
): HookEntry[] {
  const wanted = events.filter((event) => suggests || leavesJob(event));
  return wanted.map((event) => ({
    event,
    command: hookCommand(launch, event, platform),
    timeout: event === 'SessionEnd' ? AGENT_ROWS[agent].hooks.endSeconds : TIMEOUT,
  }));
}

/** Whether the hook of an event leaves a job for the worker. */
export function leavesJob(event: HookEvent): boolean {
  return event !== 'UserPromptSubmit';
}

export function serverEntry({ node, program }: Launch): ServerEntry {
  return { command: node, args: [program, 'mcp'] };
}

/** Whether a hook's command is ours: written by `init`, or by hand as docs/hooks.md shows. */
export function isOurHook(command: string): boolean {
  return OUR_COMMAND.test(command) || OUR_PROGRAM.test(command);
}

/** Whether an MCP server's command is ours, from this installation or another one. */
export function isOurServer({ command, args }: ServerEntry): boolean {
  const program = [command, ...args.slice(0, -1)].join(' ');
  return args.at(-1) === 'mcp' && /smart-fork|[/\\]dist[/\\](?:bin\.cjs|cli[/\\]main\.js)$/.test(program);
}

/** In seconds. */
const TIMEOUT = 10;

const WORDS = Object.values(HOOK_EVENTS).join('|');
const OUR_COMMAND = new RegExp(
  `(?:^|[\\s"'/\\\\])smart-fork(?:\\.cmd|\\.exe)?["']?\\s+hook\\s+(?:${WORDS})(?![\\w-])`,
);
const OUR_PROGRAM = new RegExp(
  `[/\\\\]dist[/\\\\](?:bin\\.cjs|cli[/\\\\]main\\.js)["']?\\s+hook\\s+(?:${WORDS})(?![\\w-])`,
);

/** Exits with 0 even after smart-fork was removed, because agents show any other exit code to the user. */
function hookCommand({ node, program }: Launch, event: HookEvent, platform: NodeJS.Platform): string {
  return `${quote(node, platform)} ${quote(program, platform)} hook ${HOOK_EVENTS[event]} || exit 0`;
}

/** Windows has no single quotes; both of its shells accept slashes for backslashes. */
function quote(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `"${path.replaceAll('\\', '/')}"`;
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
