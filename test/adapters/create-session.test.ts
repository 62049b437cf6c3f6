import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createClaudeSource } from '../../src/adapters/claude/source.ts';
import { createCopilotSource } from '../../src/adapters/copilot/source.ts';
import { createGeminiSource } from '../../src/adapters/gemini/source.ts';
import { createPiSource } from '../../src/adapters/pi/source.ts';
import { createQwenSource } from '../../src/adapters/qwen/source.ts';
import { userPrompts } from '../../src/app/sessions/read-conversation.ts';
import { tempFolder } from '../support/files/temp-folder.ts';
import { FORK, ORIGIN, timeAt } from '../support/transcripts/small-agents.ts';

const conversation = {
  title: 'The lighthouse',
  messages: [
    { role: 'user' as const, text: 'Repaint the lighthouse', timestamp: timeAt(1) },
    { role: 'assistant' as const, text: 'It is red.\n\n[Bash: paint]', timestamp: timeAt(2) },
    { role: 'user' as const, text: 'Naïve — 日本語 🙂', timestamp: timeAt(3) },
    { role: 'assistant' as const, text: 'Done.', timestamp: timeAt(4) },
  ],
};

const SOURCES = [
  ['claude', createClaudeSource],
  ['pi', createPiSource],
  ['gemini', createGeminiSource],
  ['qwen', createQwenSource],
  ['copilot', createCopilotSource],
] as const;

it.each(SOURCES)('%s finds and reads the session that is made of a conversation', (agent, create) => {
  const home = tempFolder('create');
  const source = create({ homes: [home] });
  const request = { conversation, originId: ORIGIN, sessionId: FORK, workingDirectory: '/home/dev/other' };
  const path = source.create?.(request) ?? '';
  const file = source.inspect(path);
  if (file === null) throw new Error(`${path} is no transcript`);
  expect(source.locate(FORK)).toBe(path);
  expect(file.sessionId).toBe(FORK);
  expect(userPrompts(source, file)).toEqual(['Repaint the lighthouse', 'Naïve — 日本語 🙂']);
  const said: string[] = [];
  source.readSteps(path, { from: 0, to: Infinity }, (step) => {
    if (step.kind === 'text') said.push(step.text);
  });
  expect(said).toEqual(['It is red.\n\n[Bash: paint]', 'Done.']);
  // Claude Code's lines name the session that they are from, as its own forks do.
  expect(source.findInheritance(file, [])?.parentId).toBe(agent === 'claude' ? ORIGIN : undefined);
});

it.skipIf(process.platform !== 'linux').each(SOURCES.map(([agent]) => agent))(
  '%s leaves no part of a session on a full disk',
  (agent) => {
    const home = tempFolder('full');
    const program = ['test/support/run-bundled.js', 'test/support/transcripts/create-on-full-disk.ts'];
    const { stdout } = spawnSync(process.execPath, [...program, agent, home], { encoding: 'utf8' });
    expect(stdout).toContain('EFBIG');
    const left = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(
      left.map(({ name }) => name).filter((name) => name.endsWith('.json') || name.endsWith('.jsonl')),
    ).toEqual([]);
  },
);
