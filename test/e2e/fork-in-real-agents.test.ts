import { describe, expect, it } from 'vitest';
import { isHere, type RealAgentName } from '../support/agents/real-agents.ts';
import { useAgentHome } from '../support/agents/use-agent-home.ts';

// Sessions that the real programs write, forked in their own agent: its request to the model shows what the fork contains.

const at = useAgentHome();

const TURNS: { name: RealAgentName; options: string[]; turns: number }[] = [
  { name: 'opencode', options: ['--at', '1'], turns: 1 },
  { name: 'opencode', options: ['--at', '2'], turns: 2 },
  { name: 'pi', options: [], turns: 2 },
  { name: 'pi', options: ['--at', '1'], turns: 1 },
  { name: 'gemini', options: ['--at', '1'], turns: 1 },
  { name: 'copilot', options: [], turns: 2 },
  { name: 'copilot', options: ['--at', '1'], turns: 1 },
  { name: 'qwen', options: [], turns: 2 },
  { name: 'qwen', options: ['--at', '1'], turns: 1 },
];

const RESUME: Partial<Record<RealAgentName, string>> = {
  opencode: '-s',
  pi: '--session',
  gemini: '--resume',
  qwen: '--resume',
  copilot: '--resume',
};

describe.each(TURNS)('$name', ({ name, options, turns }) => {
  it.skipIf(!isHere(name))(
    `forks with ${['fork', ...options].join(' ')}`,
    async () => {
      const agent = at.agent(name);
      await agent.ask('Repaint the lighthouse in red');
      await at.home.cli(['index']);
      const [session] = await at.sessions();
      await agent.continue([RESUME[name] ?? '', session.session_id], 'And the boat in blue');
      await at.home.cli(['index']);
      const said =
        at.model.takeConversations().findLast((one) => one.includes('user: And the boat in blue')) ?? [];
      const answers = said.filter((text) => text.startsWith('assistant: '));
      const opened = await agent.opened(['fork', session.session_id, ...options, '--exec']);
      await agent.continue(opened, 'Now the pier');
      const [first = []] = at.model.takeConversations().filter((one) => one.includes('user: Now the pier'));
      const prompts = ['user: Repaint the lighthouse in red', 'user: And the boat in blue'].slice(0, turns);
      expect(first.filter((text) => text.startsWith('user: '))).toEqual([...prompts, 'user: Now the pier']);
      expect(first.slice(0, 2)).toEqual(['user: Repaint the lighthouse in red', answers[0]]);
      expect(first).toHaveLength(2 * turns + 1);
      await at.home.cli(['index']);
      const sessions = await at.sessions();
      expect(sessions).toContainEqual(
        expect.objectContaining({ parent_session_id: session.session_id, agent: name }),
      );
    },
    180_000,
  );
});
