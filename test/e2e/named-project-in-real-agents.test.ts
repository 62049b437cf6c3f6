import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelDouble, startModel } from '../support/agents/model-double.ts';
import { isHere, realAgent } from '../support/agents/real-agents.ts';
import { ThrowawayHome } from '../support/machines/init-cli.ts';

// Claude Code 2.1.234 and later: CLAUDE_CODE_PROJECT_DIR_NAME names the folder of transcripts, with CLAUDE_CONFIG_DIR.

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

const NAME = 'lighthouse';
const PROMPT = 'Repaint the lighthouse in red';

it.skipIf(!isHere('claude')).each([
  { at: [], named: true },
  { at: [], named: false },
  { at: ['--at', '1'], named: true },
  { at: ['--at', '1'], named: false },
])(
  'forks a session in a folder of another name: $at, with the name set: $named',
  async ({ at, named }) => {
    const agent = realAgent(home, 'claude', model.url);
    Object.assign(agent.env, { CLAUDE_CONFIG_DIR: home.at('.claude'), CLAUDE_CODE_PROJECT_DIR_NAME: NAME });
    await agent.ask(PROMPT);
    if (!existsSync(home.at(`.claude/projects/${NAME}`))) {
      console.log(`skipped: ${await agent.run(['claude', '--version'])} has no such variable`);
      return;
    }
    expect(readdirSync(home.at('.claude/projects'))).toEqual([NAME]);
    await home.cli(['index'], agent.env);
    const { sessions } = JSON.parse((await home.cli(['sessions', '--json'], agent.env)).out);
    const [{ session_id: id }] = sessions;
    const shown = JSON.parse((await home.cli(['fork', id, '--json'], agent.env)).out);
    expect(shown.directory).toBe(agent.cwd);
    if (!named) agent.env.CLAUDE_CODE_PROJECT_DIR_NAME = '';
    model.takeConversations();
    await agent.continue(await agent.opened(['fork', id, ...at, '--exec']), 'Now the pier');
    const [first = []] = model.takeConversations().filter((one) => one.includes('user: Now the pier'));
    expect(first).toEqual([
      `user: ${PROMPT}`,
      expect.stringMatching(/^assistant: PONG/),
      'user: Now the pier',
    ]);
  },
  120_000,
);
