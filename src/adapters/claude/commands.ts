import type { StartOptions, TranscriptSource } from '../../ports/transcript-source.ts';

/** The command lines of Claude Code. */
export const claudeCommands: Pick<
  TranscriptSource,
  'resumeCommand' | 'forkCommand' | 'startCommand' | 'fileReference' | 'choosesIds' | 'takesNames'
> = {
  resumeCommand: (target, { name } = {}) => ['claude', '--resume', target, ...optionArgs({ name })],
  forkCommand: (target, options) => ['claude', '--resume', target, '--fork-session', ...optionArgs(options)],
  startCommand: (prompt, options) => ['claude', ...optionArgs(options), prompt],
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
