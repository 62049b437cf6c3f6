import { describe, expect, it } from 'vitest';
import { runCli } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, SESSION_ID, stampLines, writeClaude } from '../support/transcripts/claude-transcripts.ts';

describe('arguments after --', () => {
  it('are ids, whatever they begin with', { timeout: 120_000 }, async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines([line.user('turn the turbine')]));
    await runCli(world, ['index', '--no-embed']);
    for (const command of [
      'show',
      'retrieve',
      'chain',
      'restore',
      'tag',
      'note',
      'star',
      'forget',
      'topics',
    ]) {
      const { status, stderr } = await runCli(world, [command, '--', '-abc']);
      expect([command, status]).toEqual([command, 1]);
      expect(stderr).toContain('begins with "-abc"');
    }
    expect((await runCli(world, ['compare', '--', '-abc', SESSION_ID])).stderr).toContain(
      'begins with "-abc"',
    );
    expect((await runCli(world, ['show', '--json', '--', SESSION_ID])).stdout).toContain('turn the turbine');
    expect((await runCli(world, ['tag', '--', SESSION_ID, 'pump'])).stdout).toContain('pump');
    expect((await runCli(world, ['show', '--', SESSION_ID, '--json'])).status).toBe(2);
  });

  it('are words of a query', { timeout: 60_000 }, async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines([line.user('turn the turbine')]));
    const { stdout } = await runCli(world, ['search', '--json', 'turbine', '--', '-pumpkin']);
    expect(JSON.parse(stdout)).toMatchObject({
      query: 'turbine -pumpkin',
      results: [{ session_id: SESSION_ID }],
    });
    const outside = await runCli(world, ['search', '--json', 'turbine', '-agent:claude']);
    expect(JSON.parse(outside.stdout)).toMatchObject({ query: 'turbine -agent:claude', results: [] });
    const inOther = await runCli(world, ['search', '--json', 'turbine', '-lang:sql']);
    expect(JSON.parse(inOther.stdout)).toMatchObject({ query: 'turbine -lang:sql' });
    const asked = await runCli(world, ['recall', '--json', 'turbine', '-agent:claude', '-n', '2']);
    expect(JSON.parse(asked.stdout)).toMatchObject({ query: 'turbine -agent:claude', groups: [] });
  });
});
