import { describe, expect, it } from 'vitest';
import { isHere, type RealAgentName } from '../support/agents/real-agents.ts';
import { useAgentHome } from '../support/agents/use-agent-home.ts';
import { piAnswer, piEntry, piHead, piUser, writeRows } from '../support/transcripts/small-agents.ts';

// A session of one agent is forked into another one, whose real program then continues it: its request to the model shows what it got.

const at = useAgentHome();

const ID = '5e551000-0000-4000-8000-000000000001';
const SAID = [
  'user: Repaint the lighthouse in red',
  'assistant: It is red now.\n\n[Bash: paint --red]',
  'user: And the boat in blue',
  'assistant: The boat is blue.',
];

function writePi(cwd: string): void {
  const call = { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'paint --red' } };
  const path = at.home.at(`.pi/agent/sessions/--x--/2026-07-01T09-00-00-000Z_${ID}.jsonl`);
  writeRows(path, [
    { ...piHead(ID), cwd },
    piEntry(1, piUser('Repaint the lighthouse in red')),
    piEntry(2, piAnswer('It is red now.', [call])),
    piEntry(3, {
      role: 'toolResult',
      toolCallId: 'c1',
      content: [{ type: 'text', text: 'ok' }],
      isError: false,
    }),
    piEntry(4, piUser('And the boat in blue')),
    piEntry(5, piAnswer('The boat is blue.')),
  ]);
}

function writeClaude(cwd: string): void {
  const shared = { isSidechain: false, userType: 'external', cwd, sessionId: ID, version: '2.1.0' };
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'paint --red' } };
  const says = (at: number, role: string, content: unknown) => ({
    parentUuid: at === 1 ? null : `u${at - 1}`,
    ...shared,
    type: role,
    message: { role, content },
    uuid: `u${at}`,
    timestamp: new Date(Date.UTC(2026, 6, 1, 9, at)).toISOString(),
  });
  writeRows(at.home.at(`.claude/projects/x/${ID}.jsonl`), [
    says(1, 'user', 'Repaint the lighthouse in red'),
    says(2, 'assistant', [{ type: 'text', text: 'It is red now.' }, call]),
    says(3, 'user', [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }]),
    says(4, 'user', 'And the boat in blue'),
    says(5, 'assistant', [{ type: 'text', text: 'The boat is blue.' }]),
  ]);
}

const TARGETS: { name: RealAgentName; from: string }[] = [
  { name: 'pi', from: 'claude' },
  { name: 'opencode', from: 'pi' },
  { name: 'claude', from: 'pi' },
  { name: 'codex', from: 'pi' },
  { name: 'gemini', from: 'claude' },
  { name: 'qwen', from: 'claude' },
  { name: 'copilot', from: 'claude' },
];

describe.each(TARGETS)('a session of $from, forked into $name', ({ name, from }) => {
  it.skipIf(!isHere(name)).each([
    { until: 'as a whole', options: [], turns: 2 },
    { until: 'at a turn', options: ['--at', '1'], turns: 1 },
  ])(
    'is continued by its real program $until, and found once',
    async ({ options, turns }) => {
      const agent = at.agent(name);
      (from === 'pi' ? writePi : writeClaude)(agent.cwd);
      // OpenCode continues an imported session with the model that was used last.
      if (name === 'opencode') await agent.ask('hello');
      await at.home.cli(['index']);
      const words = ['fork', ID, '--into', name, ...options];
      const fork = JSON.parse((await at.home.cli([...words, '--json'], agent.env)).out);
      expect(fork).toMatchObject({ way: 'turn', agent: name });
      expect(fork.notes.join(' ')).toContain('Carried over: prompts, answers');
      const opened = await agent.opened([...words, '--exec']);
      at.model.takeConversations();
      const answer = await agent.continue(opened, 'Now the pier');
      const requests = at.model.takeConversations().filter((said) => said.includes('user: Now the pier'));
      expect(requests[0], answer).toEqual([...SAID.slice(0, 2 * turns), 'user: Now the pier']);
      await at.home.cli(['index']);
      const sessions = await at.sessions();
      expect(sessions).toContainEqual(expect.objectContaining({ agent: name, parent_session_id: ID }));
      if (name === 'codex') {
        const rollouts = Object.keys(at.home.snapshot()).filter((path) => /rollout-[^/]*\.jsonl$/.test(path));
        expect(rollouts).toHaveLength(1);
      }
      const found = JSON.parse(
        (await at.home.cli(['search', 'repaint the lighthouse in red', '--json'])).out,
      );
      expect(found.results.map((one: { agent: string }) => one.agent)).toEqual([from]);
    },
    180_000,
  );
});
