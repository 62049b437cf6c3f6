import { expect, it } from 'vitest';
import { compareSessions } from '../../../src/app/read/compare-sessions.ts';
import { findSession } from '../../../src/app/sessions/find-session.ts';
import { renderComparison } from '../../../src/cli/read/render-comparison.ts';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import {
  bashPair,
  COMMIT_OUTPUT,
  copyLines,
  FORK_ID,
  line,
  SESSION_ID,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

const edit = (path: string) => toolPair('Edit', { file_path: `/home/dev/widgets/${path}` }, 'ok');

const choice = (question: string, chosen: string, other: string) => {
  const questions = [{ question, header: 'Choice', options: [{ label: chosen }, { label: other }] }];
  const answered = { toolUseResult: { questions, answers: { [question]: chosen } } };
  const text = `User has answered your questions: "${question}"="${chosen}".`;
  const id = `toolu_${question}`;
  return [line.call('AskUserQuestion', { questions }, id), line.result(text, id, answered)];
};

it('compares what a session and its fork asked, decided, changed and committed after their common turns', async () => {
  const world = createWorld();
  const common = [
    line.user('Add a walrus'),
    ...choice('Which sea should the walrus live in?', 'The North Sea', 'The Baltic'),
    ...edit('src/walrus.ts'),
    line.assistant('Added.'),
  ];
  const rest = [line.user('Feed the walrus'), ...edit('src/fish.ts'), line.assistant('Fed.')];
  const origin = stampLines([...common, ...rest]);
  writeClaude(world.claudeHome, SESSION_ID, origin);
  const begun = origin.slice(0, origin.length - rest.length);
  const own = stampLines(
    [
      line.user('Let it swim'),
      ...choice('Which stroke should the walrus swim?', 'Butterfly', 'Crawl'),
      ...edit('src/fish.ts'),
      ...bashPair('git commit -am "Swim"', COMMIT_OUTPUT),
      line.assistant('It swims.'),
    ],
    { sessionId: FORK_ID, after: begun.length },
  );
  writeClaude(world.claudeHome, FORK_ID, [...copyLines(begun, 'branch', { sessionId: FORK_ID }), ...own]);
  const parts = await openWorld(world);
  await indexWorld(parts);
  const store = await parts.store();
  const comparison = await compareSessions(
    { ...parts, store },
    await findSession(store, SESSION_ID),
    await findSession(store, FORK_ID),
  );
  expect(comparison).toMatchObject({
    common_turns: 1,
    asked: { first: [{ turn: 2, text: 'Feed the walrus' }], second: [{ turn: 2, text: 'Let it swim' }] },
    decided: { first: [], second: [{ turn: 2, text: 'Which stroke should the walrus swim? Butterfly' }] },
    files: { both: ['src/fish.ts'], first: [], second: [] },
    commits: { both: [], first: [], second: [{ hash: 'abc1234' }] },
  });
  const look = { columns: 40, color: 0, unicode: false } as const;
  const text = renderComparison(comparison, look, { nowMs: Date.parse('2026-11-01') });
  expect(text).toContain('B is a fork of A: 1 turn in common');
  expect(text).toContain('Decided\n  B\n    2. Which stroke');
  for (const printed of text.split('\n')) expect(printed.length).toBeLessThanOrEqual(40);
});

it('finds what a session and a fork of its fork have in common', async () => {
  const world = createWorld();
  const GRANDCHILD_ID = '5e551000-0000-4000-8000-00000000000c';
  const origin = stampLines([line.user('Add a walrus'), line.assistant('Added.')]);
  const fork = [
    ...copyLines(origin, 'branch', { sessionId: FORK_ID }),
    ...stampLines([line.user('Let it swim'), line.assistant('It swims.')], {
      sessionId: FORK_ID,
      after: origin.length,
    }),
  ];
  const grandchild = [
    ...copyLines(fork, 'branch', { sessionId: GRANDCHILD_ID }),
    ...stampLines([line.user('Let it dive'), line.assistant('It dives.')], {
      sessionId: GRANDCHILD_ID,
      after: fork.length,
    }),
  ];
  writeClaude(world.claudeHome, SESSION_ID, origin);
  writeClaude(world.claudeHome, FORK_ID, fork);
  writeClaude(world.claudeHome, GRANDCHILD_ID, grandchild);
  const parts = await openWorld(world);
  await indexWorld(parts);
  const store = await parts.store();
  const comparison = await compareSessions(
    { ...parts, store },
    await findSession(store, SESSION_ID),
    await findSession(store, GRANDCHILD_ID),
  );
  expect(comparison).toMatchObject({
    common_turns: 1,
    asked: {
      first: [],
      second: [
        { turn: 2, text: 'Let it swim' },
        { turn: 3, text: 'Let it dive' },
      ],
    },
  });
});
