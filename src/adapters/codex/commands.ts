import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { idInName } from './files/find-transcripts.ts';

/** The command lines of the Codex CLI, which accepts only session ids. */
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
  resumeCommand: (sessionId) => ['codex', 'resume', ...operand(sessionId)],
  forkCommand: (target) => ['codex', 'fork', ...operand(idInName(target) ?? target)],
  startCommand: (prompt) => ['codex', prompt],
  restoreCommand: (sessionId) => ['codex', 'unarchive', ...operand(sessionId)],
  fileReference: (path) => path,
  choosesIds: false,
  takesNames: false,
};

/** An id from a damaged or foreign transcript must not be read as an option. */
function operand(sessionId: string): string[] {
  return sessionId.startsWith('-') ? ['--', sessionId] : [sessionId];
}
