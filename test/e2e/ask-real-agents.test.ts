import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ModelDouble, startModel } from '../support/agents/model-double.ts';
import { isHere, type RealAgentName, realAgent } from '../support/agents/real-agents.ts';
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
      const agent = realAgent(home, name, model.url);
      const said = await agent.ask('Repaint the lighthouse in red');
      await home.cli(['index']);
      const [session] = JSON.parse((await home.cli(['sessions', '--json'])).out).sessions;
      expect(session, said).toMatchObject({ agent: name });
      const list = () =>
        readdirSync(home.at(FOLDERS[name] ?? 'project'), { recursive: true })
          .map(String)
          .filter((path) => path.endsWith('.jsonl'))
          .sort();
      const before = list();
      model.takeConversations();
      // Gemini CLI runs without a terminal only in folders that its user trusts.
      const env = { ...agent.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
      const asked = await home.cli(['ask', session.session_id, 'Which colour?', '--json'], env);
      expect(asked.err).toContain('sends');
      const { answer, turn } = JSON.parse(asked.out);
      expect(answer).toMatch(/^PONG \d+$/);
      expect(turn).toBe(1);
      const request = model.takeConversations().find((one) => one.includes('user: Which colour?'));
      expect(request).toHaveLength(3);
      expect(request?.[0]).toBe('user: Repaint the lighthouse in red');
      expect(list()).toEqual(before);
      await home.cli(['index']);
      expect(JSON.parse((await home.cli(['sessions', '--json'])).out).sessions).toHaveLength(1);
    },
    180_000,
  );
});

describe.each(['claude', 'pi'] as RealAgentName[])('%s without a login', (name) => {
  it.skipIf(!isHere(name))(
    'refuses in words',
    async () => {
      const agent = realAgent(home, name, model.url);
      await agent.ask('Repaint the lighthouse in red');
      await home.cli(['index']);
      const [session] = JSON.parse((await home.cli(['sessions', '--json'])).out).sessions;
      home.write('.pi/agent/models.json', '{}');
      home.write('.pi/agent/settings.json', '{}');
      const { ANTHROPIC_API_KEY: _, ...env } = agent.env;
      const { code, err } = await home.cli(['ask', session.session_id, 'Which colour?'], env);
      expect(code).toBe(2);
      expect(err).toMatch(/is not logged in: /);
      expect(err).toContain('and log in');
    },
    180_000,
  );
});
