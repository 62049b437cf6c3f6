import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isHere, REAL_AGENTS, type RealAgentName } from '../support/agents/real-agents.ts';
import { useAgentHome } from '../support/agents/use-agent-home.ts';

const at = useAgentHome();

async function sessionsWithin(seconds: number): Promise<{ agent: string; title: string }[]> {
  for (let left = seconds * 2; ; left -= 1) {
    const sessions = await at.sessions();
    if (sessions.length > 0 || left === 0) return sessions;
    await sleep(500);
  }
}

/** Claude Code and Codex are in init-in-real-clients.test.ts. */
const NAMES = (Object.keys(REAL_AGENTS) as RealAgentName[]).filter(
  (name) => !['claude', 'codex'].includes(name),
);

describe.each(NAMES)('%s after init', (name) => {
  it.skipIf(!isHere(name))(
    'indexes a session by itself after the turn ends',
    async () => {
      const agent = at.agent(name);
      expect((await at.home.cli(['init', '--yes', '--no-index', '--no-model', '--agent', name])).code).toBe(
        0,
      );
      const said = await agent.ask('Repaint the lighthouse in red');
      expect(said).toContain('PONG');
      const sessions = await sessionsWithin(20);
      expect(sessions).toEqual([expect.objectContaining({ agent: name })]);
      expect(sessions[0]?.title).toContain('lighthouse');
    },
    120_000,
  );
});
