import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { createWorld } from '../../support/machines/world.ts';
import {
  FORK_ID,
  jsonl,
  line,
  SESSION_ID,
  sampleLines,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import { valveSearch, writeSubagent } from '../../support/transcripts/subagents.ts';

describe('what is not read', () => {
  it('is counted by reason and file in index, doctor and stats, until it is read or gone', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
    appendFileSync(path, '{"type":"user", broken\n');
    appendFileSync(path, '{"type":"voice-note","text":"a spoken narwhal"}\n{"type":"new-state","on":true}\n');
    const copy = path.replace(/\.jsonl$/, '.backup.jsonl');
    writeFileSync(copy, readFileSync(path));
    // As a repair script in Python writes it.
    const spaced = path.replace(/\.jsonl$/, '.repaired.jsonl');
    writeFileSync(spaced, readFileSync(path, 'utf8').replaceAll('","', '", "').replaceAll('":"', '": "'));
    const lost = path.replace(SESSION_ID, FORK_ID);
    writeSubagent(lost, 'a1', valveSearch('zanzibar'));
    const old = join(world.codexHome, 'sessions', 'rollout-2025-04-17-1a2b3c4d.json');
    mkdirSync(dirname(old), { recursive: true });
    writeFileSync(old, '{"session":{},"items":[]}');
    const expected = [
      { reason: 'not JSON', count: 1, file_count: 1, files: [path] },
      { reason: 'unknown kind', count: 1, file_count: 1, files: [path] },
      { reason: 'copy', count: 2, file_count: 2, files: [copy, spaced] },
      {
        reason: 'without session',
        count: 1,
        file_count: 1,
        files: [lost.replace(/\.jsonl$/, '/subagents/agent-a1.jsonl')],
      },
      { reason: 'old format', count: 1, file_count: 1, files: [old] },
    ];
    expect((await runJson(world, ['index', '--no-embed'])).unread).toMatchObject(expected);
    expect((await runJson(world, ['index', '--no-embed'])).unread).toMatchObject(expected);
    expect((await runJson(world, ['stats'])).unread).toMatchObject(expected);
    for (const command of ['doctor', 'stats', 'index'])
      expect((await runCli(world, [command])).stdout.replace(/\s+/g, ' ')).toContain(
        '1 line of an unknown kind that holds text',
      );
    writeFileSync(path, jsonl(stampLines([...sampleLines(), line.user('more')])));
    const { unread } = (await runJson(world, ['index', '--no-embed'])) as { unread: { reason: string }[] };
    expect(unread.map(({ reason }) => reason)).toEqual(['copy', 'without session', 'old format']);
  });

  it('names a session in which the conversation goes on, in chain, show and fork', async () => {
    const world = createWorld();
    const continued = { type: 'continued-in', sessionId: SESSION_ID, continuedInSessionId: FORK_ID };
    writeClaude(world.claudeHome, SESSION_ID, [...stampLines(sampleLines()), continued]);
    writeClaude(
      world.claudeHome,
      FORK_ID,
      stampLines([line.compactSummary('So far.'), line.user('second half')], { after: 60, seed: 'second' }),
    );
    await runCli(world, ['index', '--no-embed']);
    expect(await runJson(world, ['chain', FORK_ID])).toMatchObject({
      session_id: SESSION_ID,
      forks: [{ session_id: FORK_ID }],
    });
    expect((await runCli(world, ['show', SESSION_ID])).stdout).toMatch(/Goes on in +22222222/);
    const { stdout, stderr } = await runCli(world, ['fork', SESSION_ID]);
    expect(stdout + stderr).toContain(`goes on in session ${FORK_ID} "`);
  });

  it('draws every session in which a conversation went on, if the user came back in between', async () => {
    const world = createWorld();
    const third = FORK_ID.replaceAll('2', '3');
    const goesOn = (id: string) => ({
      type: 'continued-in',
      sessionId: SESSION_ID,
      continuedInSessionId: id,
    });
    const again = stampLines([line.user('back again'), line.assistant('yes')], { after: 30, seed: 'again' });
    writeClaude(world.claudeHome, SESSION_ID, [
      ...[...stampLines(sampleLines()), goesOn(FORK_ID), ...again, goesOn(third), goesOn(third)],
    ]);
    for (const [at, id] of [FORK_ID, third].entries())
      writeClaude(world.claudeHome, id, stampLines([line.user(`part ${at}`)], { after: 60 + at, seed: id }));
    await runCli(world, ['index', '--no-embed']);
    const { forks } = (await runJson(world, ['chain', third])) as { forks: { session_id: string }[] };
    expect(forks.map(({ session_id }) => session_id)).toEqual([FORK_ID, third]);
    const { session } = (await runJson(world, ['show', SESSION_ID])) as { session: object };
    expect(session).toMatchObject({ continued_in: third, continued_before: [FORK_ID] });
  });

  it('also reads the folder in which some versions of Claude Code wrote', async () => {
    const world = createWorld();
    const home = join(world.folder, 'elsewhere');
    writeClaude(join(home, '.config', 'claude'), SESSION_ID, stampLines(sampleLines()));
    const env = { HOME: home, CLAUDE_CONFIG_DIR: undefined };
    expect(await runJson(world, ['index', '--no-embed'], { env })).toMatchObject({ indexed: 1 });
    const elsewhere = { ...env, CLAUDE_CONFIG_DIR: join(home, 'other') };
    expect(await runJson(world, ['index', '--no-embed'], { env: elsewhere })).toMatchObject({ found: 0 });
  });
});
