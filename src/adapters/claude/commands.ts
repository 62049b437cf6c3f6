import type { StartOptions, TranscriptSource } from '../../ports/transcript-source.ts';

/** The command lines of Claude Code. */
export const claudeCommands: Pick<
  TranscriptSource,
  'resumeCommand' | 'forkCommand' | 'startCommand' | 'fileReference' | 'choosesIds' | 'takesNames'
> = {
  resumeCommand: (target, { name } = {}) => ['claude', '--resume', target, ...optionWords({ name })],
  forkCommand: (target, options) => ['claude', '--resume', target, '--fork-session', ...optionWords(options)],
  startCommand: (prompt, options) => ['claude', ...optionWords(options), prompt],
  // A reference puts the file's text into the prompt from any folder, and needs no permission.
  fileReference: (path) => (/^[\w./\\:-]+$/.test(path) ? `@${path}` : `@"${path}"`),
  choosesIds: true,
  takesNames: true,
};

function optionWords({
  name,
  sessionId,
}: { [K in keyof StartOptions]: StartOptions[K] | undefined } = {}): string[] {
  return [
    ...(name === undefined ? [] : ['--name', name]),
    ...(sessionId === undefined ? [] : ['--session-id', sessionId]),
  ];
}
