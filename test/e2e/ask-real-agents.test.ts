import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isHere, type RealAgentName } from '../support/agents/real-agents.ts';
import { useAgentHome } from '../support/agents/use-agent-home.ts';

const at = useAgentHome();

/** Where each agent keeps its sessions in files. */
const FOLDERS: Partial<Record<RealAgentName, string>> = {
  claude: '.claude/projects',
  pi: '.pi/agent/sessions',
  gemini: '.gemini/tmp/project/chats',
  qwen: '.qwen/projects',
};

const NAMES: RealAgentName[] = ['claude', 'codex', 'opencode', 'pi', 'gemini', 'qwen'];

describe.each(NAMES)('%s', (name) => {
  it.skipIf(!isHere(name))(
    'answers a question from a fork of its session, which leaves nothing behind',
    async () => {
      const agent = at.agent(name);
      const said = await agent.ask('Repaint the lighthouse in red');
      await at.home.cli(['index']);
      const [session] = await at.sessions();
      expect(session, said).toMatchObject({ agent: name });
      const list = () =>
        readdirSync(at.home.at(FOLDERS[name] ?? 'project'), { recursive: true })
          .map(String)
          .filter((path) => path.endsWith('.jsonl'))
          .sort();
      const before = list();
      at.model.takeConversations();
      // Gemini CLI runs without a terminal only in folders that its user trusts.
      const env = { ...agent.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
      const asked = await at.home.cli(['ask', session.session_id, 'Which colour?', '--json'], env);
      expect(asked.err).toContain('sends');
      const { answer, turn } = JSON.parse(asked.out);
      expect(answer).toMatch(/^PONG \d+$/);
      expect(turn).toBe(1);
      const request = at.model.takeConversations().find((one) => one.includes('user: Which colour?'));
      expect(request).toHaveLength(3);
      expect(request?.[0]).toBe('user: Repaint the lighthouse in red');
      expect(list()).toEqual(before);
      await at.home.cli(['index']);
      expect(await at.sessions()).toHaveLength(1);
    },
    180_000,
  );
});

describe.each(['claude', 'pi'] as RealAgentName[])('%s without a login', (name) => {
  it.skipIf(!isHere(name))(
    'refuses in words',
    async () => {
      const agent = at.agent(name);
      await agent.ask('Repaint the lighthouse in red');
      await at.home.cli(['index']);
      const [session] = await at.sessions();
      at.home.write('.pi/agent/models.json', '{}');
      at.home.write('.pi/agent/settings.json', '{}');
      const { ANTHROPIC_API_KEY: _, ...env } = agent.env;
      const { code, err } = await at.home.cli(['ask', session.session_id, 'Which colour?'], env);
      expect(code).toBe(2);
      expect(err).toMatch(/is not logged in: /);
      expect(err).toContain('and log in');
    },
    180_000,
  );
});
