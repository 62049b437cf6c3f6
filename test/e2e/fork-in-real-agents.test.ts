import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelDouble, startModel } from '../support/agents/model-double.ts';
import { isHere, type RealAgentName, realAgent } from '../support/agents/real-agents.ts';
import { ThrowawayHome } from '../support/machines/init-cli.ts';

// Sessions that the real programs write, forked in their own agent: its request to the model shows what the fork contains.

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

const TURNS: { name: RealAgentName; options: string[]; turns: number }[] = [
  { name: 'opencode', options: ['--at', '1'], turns: 1 },
  { name: 'opencode', options: ['--at', '2'], turns: 2 },
  { name: 'pi', options: [], turns: 2 },
  { name: 'pi', options: ['--at', '1'], turns: 1 },
  { name: 'gemini', options: ['--at', '1'], turns: 1 },
  { name: 'qwen', options: [], turns: 2 },
  { name: 'qwen', options: ['--at', '1'], turns: 1 },
];

const RESUME: Partial<Record<RealAgentName, string>> = {
  opencode: '-s',
  pi: '--session',
  gemini: '--resume',
  qwen: '--resume',
};

describe.each(TURNS)('$name', ({ name, options, turns }) => {
  it.skipIf(!isHere(name))(
    `forks with ${['fork', ...options].join(' ')}`,
    async () => {
      const agent = realAgent(home, name, model.url);
      await agent.ask('Repaint the lighthouse in red');
      await home.cli(['index']);
      const [session] = JSON.parse((await home.cli(['sessions', '--json'])).out).sessions;
      await agent.continue([RESUME[name] ?? '', session.session_id], 'And the boat in blue');
      await home.cli(['index']);
      const said =
        model.takeConversations().findLast((one) => one.includes('user: And the boat in blue')) ?? [];
      const answers = said.filter((text) => text.startsWith('assistant: '));
      const opened = await agent.opened(['fork', session.session_id, ...options, '--exec']);
      await agent.continue(opened, 'Now the pier');
      const [first = []] = model.takeConversations().filter((one) => one.includes('user: Now the pier'));
      const prompts = ['user: Repaint the lighthouse in red', 'user: And the boat in blue'].slice(0, turns);
      expect(first.filter((text) => text.startsWith('user: '))).toEqual([...prompts, 'user: Now the pier']);
      expect(first.slice(0, 2)).toEqual(['user: Repaint the lighthouse in red', answers[0]]);
      expect(first).toHaveLength(2 * turns + 1);
      await home.cli(['index']);
      const { sessions } = JSON.parse((await home.cli(['sessions', '--json'])).out);
      expect(sessions).toContainEqual(
        expect.objectContaining({ parent_session_id: session.session_id, agent: name }),
      );
    },
    180_000,
  );
});
