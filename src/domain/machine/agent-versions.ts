import type { Agent } from '../session/session.ts';

/** Each agent's program, and the first version that can fork a session from the command line. */
export const AGENT_PROGRAMS: Record<Agent, { program: string; forksSince: string; install: string }> = {
  claude: {
    program: 'claude',
    forksSince: '1.0.124',
    install: 'npm install -g @anthropic-ai/claude-code',
  },
  codex: { program: 'codex', forksSince: '0.81.0', install: 'npm install -g @openai/codex' },
};

/** Versions look like `2.1.329`. */
export function isAtLeast(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) => text.split('.').map(Number));
  for (const [place, number] of (other ?? []).entries()) {
    const difference = (own?.[place] ?? 0) - number;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
