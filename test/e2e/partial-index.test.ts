import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/open-database.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, stampLines, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const [INDEXED, LEFT, RUNNING] = ['a', 'b', 'c'].map(uuidOf) as [string, string, string];
const MESSAGE = '1 transcript is not indexed yet';
const NOTICE = { code: 'NOT_INDEXED', message: MESSAGE, hint: 'smart-fork index' };

describe('an index without some transcripts', () => {
  it('says so wherever nothing is found and in every list, until they are indexed', async () => {
    const world = filledWorld();
    await runCli(world, ['index', '--no-embed', '--session', INDEXED]);
    const lists = [['sessions'], ['open'], ['timeline'], ['topics'], ['usage'], ['stats'], ['status']];
    const searches = [
      ['search', 'carburettor'],
      ['recall', 'carburettor'],
    ];
    for (const words of [...lists, ...searches, ['memory', 'stats']]) {
      const { status, stderr, stdout } = await runCli(world, words);
      const text = `${stderr}\n${stdout}`.replace(/\s+/g, ' ');
      expect([status, text], words.join(' ')).toEqual([0, expect.stringContaining(`! ${MESSAGE}: smart-`)]);
      const { notices } = await runJson(world, words);
      expect(notices, words.join(' ')).toContainEqual(NOTICE);
    }
    const { checks } = await runJson(world, ['doctor']);
    expect(checks).toContainEqual({ name: 'Store', status: 'warn', message: MESSAGE, fix: NOTICE.hint });
    await runCli(world, ['index', '--no-embed']);
    for (const words of [...lists, ...searches])
      expect(JSON.stringify(await runJson(world, words)), words.join(' ')).not.toContain('NOT_INDEXED');
  });

  it('does not say so of a likely result, a forgotten session, or the session that asks', async () => {
    const world = filledWorld();
    await runCli(world, ['index', '--no-embed', '--session', INDEXED]);
    const found = await runJson(world, ['search', 'retry the failed upload with a delay']);
    expect(found.fit).toMatchObject({ level: expect.stringMatching(/strong|likely/) });
    expect(JSON.stringify(found)).not.toContain('NOT_INDEXED');
    const env = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: LEFT };
    expect(await runJson(world, ['sessions'], { env })).not.toHaveProperty('notices');
    await runCli(world, ['index', '--no-embed']);
    await runCli(world, ['forget', LEFT, '--yes']);
    expect(await runJson(world, ['sessions'])).not.toHaveProperty('notices');
    add(world.claudeHome, RUNNING, 'another thing');
    expect(await runJson(world, ['sessions'])).toMatchObject({ notices: [NOTICE] });
  });

  it('says so of a filter by language until the transcripts that an earlier version read are read again', async () => {
    const world = filledWorld();
    await runCli(world, ['index', '--no-embed']);
    const state = openDatabase(join(world.home, 'state.db'));
    state.exec("UPDATE cursors SET chunking = '1 ' || chunking");
    state.close();
    const message = '2 transcripts are not indexed for this filter yet';
    const filtered = [
      ['sessions', '--lang', 'ts'],
      ['sessions', '--has-code'],
      ['search', 'carburettor', '--lang', 'ts'],
      ['search', 'carburettor lang:ts'],
    ];
    for (const words of filtered) {
      const { stderr, stdout } = await runCli(world, words);
      expect(`${stderr}\n${stdout}`.replace(/\s+/g, ' '), words.join(' ')).toContain(`! ${message}: smart-`);
      expect((await runJson(world, words)).notices, words.join(' ')).toContainEqual({ ...NOTICE, message });
    }
    expect(await runJson(world, ['sessions'])).not.toHaveProperty('notices');
    await runCli(world, ['index', '--no-embed']);
    for (const words of filtered)
      expect(JSON.stringify(await runJson(world, words)), words.join(' ')).not.toContain('NOT_INDEXED');
  });

  it('indexes before a list that would be empty because nothing is indexed', async () => {
    for (const words of [['open'], ['timeline'], ['topics'], ['sessions'], ['recall', 'carburettor']]) {
      const { status, stdout, stderr } = await runCli(filledWorld(), words);
      expect([status, stderr], words.join(' ')).toEqual([0, expect.stringContaining('Scanning')]);
      expect(stdout, words.join(' ')).toMatch(/upload|carburettor/);
    }
  });
});

function filledWorld() {
  const world = createWorld();
  add(world.claudeHome, INDEXED, 'retry the failed upload with a delay');
  add(world.claudeHome, LEFT, 'tune the carburettor');
  return world;
}

function add(home: string, id: string, prompt: string): void {
  const answer = `We decided to ${prompt} with exponential delays because the server limits its clients.`;
  const later = 'We need to implement the upload queue of the gateway';
  const lines = [line.user(prompt), line.assistant(answer), line.user(later)];
  writeClaude(home, id, stampLines(lines, { sessionId: id, cwd: '/home/dev/engine' }));
}
