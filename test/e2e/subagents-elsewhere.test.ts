import { appendFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli, runJson } from '../support/machines/cli.ts';
import { connect } from '../support/machines/mcp-world.ts';
import { createSharingWorld, type SharingWorld, writeSession } from '../support/machines/sharing-world.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { jsonl, line, uuidOf } from '../support/transcripts/claude-transcripts.ts';
import { sidechain, subagentPathOf, valveSearch, writeSubagent } from '../support/transcripts/subagents.ts';

const SESSION = uuidOf('with a subagent');
const TALK = [line.user('Repair the harbor'), line.assistant('A subagent looks for the valve.')];
const PASSPHRASE = { SMART_FORK_PASSPHRASE: 'four words for nobody' };

describe('subagents of a session on another machine', { timeout: 60_000 }, () => {
  it.each([
    ['in plain text', {}],
    ['with encryption', { SMART_FORK_ENCRYPTION: 'on' }],
  ])('sends subagents, and finds them on another machine: %s', async (_, env: Record<string, string>) => {
    const isSealed = env.SMART_FORK_ENCRYPTION !== undefined;
    const double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const [atlas, borea] = [
      createSharingWorld('atlas', double.url, env),
      createSharingWorld('borea', double.url, env),
    ];
    if (isSealed) await shareKey(atlas, borea);
    const path = writeSession(atlas, SESSION, TALK);
    writeSubagent(path, 'one', valveSearch('zanzibar'));
    expect(await runJson(atlas, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
    writeSubagent(path, 'two', valveSearch('quokka'));
    expect(await runJson(atlas, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });

    for (const [word, subagent] of [
      ['zanzibar', 'one'],
      ['quokka', 'two'],
    ] as const)
      expect(await runJson(borea, ['search', word])).toMatchObject({
        results: [{ session_id: SESSION, machine: 'atlas', match: { subagent } }],
      });
    const context = (await runCli(borea, ['retrieve', SESSION, '--query', 'zanzibar'])).stdout;
    const { call, close } = await connect(
      { ...borea.env, PATH: process.env.PATH ?? '' },
      borea.repository,
      {},
    );
    onTestFinished(close);
    const passed = await call('get_session_context', { session_id: SESSION, query: 'zanzibar' });
    for (const text of [context, passed.text]) {
      expect(text).toContain('[in a subagent]');
      expect(text).toContain('The zanzibar valve is open');
    }
    const found = await call('fork_detect', { intent: 'zanzibar valve' });
    expect(JSON.stringify(found.structured.results)).toContain('subagent');
    expect(double.requests.some(({ body }) => JSON.stringify(body ?? null).includes('zanzibar'))).toBe(
      !isSealed,
    );

    expect(await runJson(borea, ['forget', SESSION, '--yes'])).toEqual({ forgotten: [SESSION] });
    expect((await runJson(atlas, ['index'])).server).toMatchObject({ waiting: 0, problems: [] });
    expect((await runJson(atlas, ['search', 'zanzibar'])).results).toEqual([]);
  });

  it('sends new and grown subagents from the worker', async () => {
    const double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const [atlas, borea] = [createSharingWorld('atlas', double.url), createSharingWorld('borea', double.url)];
    const path = writeSession(atlas, SESSION, TALK);
    writeSubagent(path, 'one', valveSearch('zanzibar'));
    const drain = () => runCli(atlas, ['worker', '--drain']);
    const match = { results: [{ session_id: SESSION, machine: 'atlas', match: { subagent: 'one' } }] };
    expect(await drain()).toMatchObject({ status: 0 });
    expect(await runJson(borea, ['search', 'zanzibar'])).toMatchObject(match);
    appendFileSync(subagentPathOf(path, 'one'), jsonl(sidechain([line.assistant('The quokka is fed.')], 9)));
    expect(await drain()).toMatchObject({ status: 0 });
    expect(await runJson(borea, ['search', 'quokka'])).toMatchObject(match);
  });
});

async function shareKey(from: SharingWorld, to: SharingWorld): Promise<void> {
  await runCli(from, ['key', 'create'], { env: PASSPHRASE });
  const { stdout } = await runCli(from, ['key', 'export']);
  await runCli(to, ['key', 'import'], { input: stdout });
}
