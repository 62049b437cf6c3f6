import type { AgentCommands } from '../../ports/agent/agent-commands.ts';
import { idInName } from './files/list-transcripts.ts';

/** The command lines of the Codex CLI, which accepts only session ids. */
export const codexCommands: AgentCommands = {
  resumeTarget: ({ sessionId }) => sessionId,
  resume: (sessionId) => ['codex', 'resume', ...operand(sessionId)],
  fork: (target) => ['codex', 'fork', ...operand(idInName(target) ?? target)],
  start: (prompt) => ['codex', prompt],
  ask: (target, question) => [
    ...['codex', 'exec', '--skip-git-repo-check', '--sandbox', 'read-only', 'resume'],
    ...operand(target),
    question,
  ],
  restore: (sessionId) => ['codex', 'unarchive', ...operand(sessionId)],
  fileReference: (path) => path,
};

/** An id from a damaged or foreign transcript must not be read as an option. */
function operand(sessionId: string): string[] {
  return sessionId.startsWith('-') ? ['--', sessionId] : [sessionId];
}
