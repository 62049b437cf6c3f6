import { expect, it, onTestFinished } from 'vitest';
import { runJson } from '../support/machines/cli.ts';
import { connect } from '../support/machines/mcp-world.ts';
import { createSharingWorld, writeSession } from '../support/machines/sharing-world.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { line, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const [THEIRS, OURS] = [uuidOf('theirs'), uuidOf('ours')];

it('shows another machine’s sessions in every tool, and reports an unavailable server', {
  timeout: 60_000,
}, async () => {
  const double = await startCheckedDouble();
  onTestFinished(() => double.close());
  const [atlas, borea] = ['atlas', 'borea'].map((name) => createSharingWorld(name, double.url));
  if (atlas === undefined || borea === undefined) throw new Error('two worlds are made');
  const talk = [line.user('Debounce the zebra box'), line.assistant('It waits for 300 ms now.')];
  writeSession(atlas, THEIRS, talk);
  writeSession(borea, OURS, [line.user('Paint the zebra'), line.assistant('It is painted.')]);
  for (const world of [atlas, borea])
    expect(await runJson(world, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
  const env = { ...borea.env, PATH: process.env.PATH ?? '' };
  const { call, close } = await connect(env, borea.repository, {});
  onTestFinished(close);

  const there = await call('list_sessions', {});
  expect(there.structured.sessions.map((one: { session_id: string }) => one.session_id).sort()).toEqual(
    [OURS, THEIRS].sort(),
  );
  expect(there.structured.notices).toBeUndefined();
  expect((await call('session_stats', {})).structured).toMatchObject({
    sessions: 2,
    store: { kind: 'qdrant' },
  });
  const context = await call('get_session_context', { session_id: THEIRS });
  expect(context.structured).toMatchObject({ session_id: THEIRS, from: 'archive' });
  expect(context.text).toContain('It waits for 300 ms now.');
  expect((await call('get_session', { session_id: THEIRS })).structured).toMatchObject({ machine: 'atlas' });

  double.options.fault = () => ({ cut: 'before' });
  const calls = [
    ['list_sessions', {}],
    ['session_stats', {}],
    ['get_session_context', { session_id: OURS }],
    ['get_session', { session_id: OURS }],
  ] as const;
  for (const [name, args] of calls) {
    const { structured, text, isError } = await call(name, args);
    expect([name, isError, structured.notices]).toEqual([
      name,
      false,
      [expect.stringContaining('only this machine’s sessions')],
    ]);
    expect(text.match(/note: only this machine’s sessions/g)).toHaveLength(1);
  }
  expect((await call('list_sessions', {})).structured.sessions).toHaveLength(1);
  const found = await call('fork_detect', { intent: 'paint the zebra' });
  expect(found.structured.notices.join()).toContain('only this machine’s sessions');
  expect(found.text.match(/only this machine’s sessions/g)).toHaveLength(1);
});
