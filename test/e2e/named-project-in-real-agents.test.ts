import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isHere } from '../support/agents/real-agents.ts';
import { useAgentHome } from '../support/agents/use-agent-home.ts';

// Claude Code 2.1.234 and later: CLAUDE_CODE_PROJECT_DIR_NAME names the folder of transcripts, with CLAUDE_CONFIG_DIR.

const here = useAgentHome();

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
    const agent = here.agent('claude');
    Object.assign(agent.env, {
      CLAUDE_CONFIG_DIR: here.home.at('.claude'),
      CLAUDE_CODE_PROJECT_DIR_NAME: NAME,
    });
    await agent.ask(PROMPT);
    if (!existsSync(here.home.at(`.claude/projects/${NAME}`))) {
      console.log(`skipped: ${await agent.run(['claude', '--version'])} has no such variable`);
      return;
    }
    expect(readdirSync(here.home.at('.claude/projects'))).toEqual([NAME]);
    await here.home.cli(['index'], agent.env);
    const { sessions } = JSON.parse((await here.home.cli(['sessions', '--json'], agent.env)).out);
    const [{ session_id: id }] = sessions;
    const shown = JSON.parse((await here.home.cli(['fork', id, '--json'], agent.env)).out);
    expect(shown.directory).toBe(agent.cwd);
    if (!named) agent.env.CLAUDE_CODE_PROJECT_DIR_NAME = '';
    here.model.takeConversations();
    await agent.continue(await agent.opened(['fork', id, ...at, '--exec']), 'Now the pier');
    const [first = []] = here.model.takeConversations().filter((one) => one.includes('user: Now the pier'));
    expect(first).toEqual([
      `user: ${PROMPT}`,
      expect.stringMatching(/^assistant: PONG/),
      'user: Now the pier',
    ]);
  },
  120_000,
);
