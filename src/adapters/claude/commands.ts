import type { AgentCommands, StartOptions } from '../../ports/agent/agent-commands.ts';

/** The command lines of Claude Code. */
export const claudeCommands: Omit<AgentCommands, 'resumeTarget'> = {
  resume: (target, { name } = {}) => ['claude', '--resume', target, ...optionArgs({ name })],
  fork: (target, options) => ['claude', '--resume', target, '--fork-session', ...optionArgs(options)],
  start: (prompt, options) => ['claude', ...optionArgs(options), prompt],
  ask: (target, question) => ['claude', '-p', question, '--resume', target, '--permission-mode', 'plan'],
  // A reference includes the file in the prompt from any folder, without asking for permission.
  fileReference: (path) => (/^[\w./\\:-]+$/.test(path) ? `@${path}` : `@"${path}"`),
  choosesIds: true,
  takesNames: true,
};

function optionArgs({
  name,
  sessionId,
}: { [K in keyof StartOptions]: StartOptions[K] | undefined } = {}): string[] {
  return [
    ...(name === undefined ? [] : ['--name', name]),
    ...(sessionId === undefined ? [] : ['--session-id', sessionId]),
  ];
}
