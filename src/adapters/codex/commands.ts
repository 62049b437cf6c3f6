import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { idInName } from './files/find-transcripts.ts';

/** The command lines of the Codex CLI, which accepts only ids of sessions. */
export const codexCommands: Pick<
  TranscriptSource,
  | 'resumeTarget'
  | 'resumeCommand'
  | 'forkCommand'
  | 'startCommand'
  | 'restoreCommand'
  | 'fileReference'
  | 'choosesIds'
  | 'takesNames'
> = {
  resumeTarget: ({ sessionId }) => sessionId,
  resumeCommand: (sessionId) => ['codex', 'resume', sessionId],
  forkCommand: (target) => ['codex', 'fork', idInName(target) ?? target],
  startCommand: (prompt) => ['codex', prompt],
  restoreCommand: (sessionId) => ['codex', 'unarchive', sessionId],
  fileReference: (path) => path,
  choosesIds: false,
  takesNames: false,
};
