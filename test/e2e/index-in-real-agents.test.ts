import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelDouble, startModel } from '../support/agents/model-double.ts';
import { isHere, REAL_AGENTS, type RealAgentName, realAgent } from '../support/agents/real-agents.ts';
import { ThrowawayHome } from '../support/machines/init-cli.ts';

let home: ThrowawayHome;
let model: ModelDouble;
beforeEach(async () => {
  home = new ThrowawayHome();
  model = await startModel();
});
afterEach(() => {
  model.close();
  home.remove();
});

async function sessionsWithin(seconds: number): Promise<{ agent: string; title: string }[]> {
  for (let left = seconds * 2; ; left -= 1) {
    const { sessions = [] } = JSON.parse((await home.cli(['sessions', '--json'])).out || '{}');
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
      const agent = realAgent(home, name, model.url);
      expect((await home.cli(['init', '--yes', '--no-index', '--no-model', '--agent', name])).code).toBe(0);
      const said = await agent.ask('Repaint the lighthouse in red');
      expect(said).toContain('PONG');
      const sessions = await sessionsWithin(20);
      expect(sessions).toEqual([expect.objectContaining({ agent: name })]);
      expect(sessions[0]?.title).toContain('lighthouse');
    },
    120_000,
  );
});
