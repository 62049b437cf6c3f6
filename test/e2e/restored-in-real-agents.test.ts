import { describe, expect, it } from 'vitest';
import { isHere } from '../support/agents/real-agents.ts';
import { useAgentHome } from '../support/agents/use-agent-home.ts';

// A session that the real program deleted, restored: the request to the model shows what it contains.

const here = useAgentHome();

const WAYS = [
  { way: 'resume', turns: 2 },
  { way: 'fork', turns: 2 },
  { way: 'fork at a turn', turns: 1 },
] as const;

describe.skipIf(!isHere('opencode'))('opencode', () => {
  it.each(WAYS)(
    'opens a deleted session again to $way',
    async ({ way, turns }) => {
      const agent = here.agent('opencode');
      await agent.ask('Repaint the lighthouse in red');
      await here.home.cli(['index']);
      const [{ session_id: id }] = await here.sessions();
      await agent.continue(['-s', id], 'And the boat in blue');
      const before = here.model
        .takeConversations()
        .findLast((one) => one.includes('user: And the boat in blue'));
      await here.home.cli(['index']);
      expect(await agent.run(['opencode', 'session', 'delete', id])).toContain('deleted');
      await here.home.cli(['index']);
      expect(await here.sessions()).toContainEqual(expect.objectContaining({ session_id: id }));
      expect((await here.home.cli(['search', 'repaint the lighthouse'])).out).toContain(id.slice(0, 8));
      expect((await here.home.cli(['show', id])).out).toContain('And the boat in blue');
      const opened = async () => {
        if (way === 'fork') return agent.opened(['fork', id, '--exec']);
        if (way === 'fork at a turn') return agent.opened(['fork', id, '--at', '1', '--exec']);
        const restored = JSON.parse(
          (await here.home.cli(['restore', id, '--to', agent.cwd, '--json'], agent.env)).out,
        );
        expect(restored).toMatchObject({ state: 'restored', done: true });
        const again = await here.home.cli(['restore', id, '--to', here.home.at('.'), '--json'], agent.env);
        expect(JSON.parse(again.out)).toMatchObject({ state: 'unchanged' });
        return ['-s', id];
      };
      await agent.continue(await opened(), 'Now the pier');
      const first = here.model.takeConversations().find((one) => one.includes('user: Now the pier')) ?? [];
      const asked = (before ?? []).filter((text) => text.startsWith('assistant: ')).slice(0, 1);
      expect(first.slice(0, 2)).toEqual(['user: Repaint the lighthouse in red', ...asked]);
      const prompts = ['user: Repaint the lighthouse in red', 'user: And the boat in blue'].slice(0, turns);
      expect(first.filter((text) => text.startsWith('user: '))).toEqual([...prompts, 'user: Now the pier']);
      expect(first).toHaveLength(2 * turns + 1);
    },
    240_000,
  );
});
