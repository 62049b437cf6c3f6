import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/open-database.ts';
import { runCli } from '../support/machines/cli.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { line, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const ID = uuidOf('damaged');

const OTHER = uuidOf('sound');
const LEFT_OUT = `data of 1 session is damaged and was left out: ${ID}`;

it.each([
  ["UPDATE sessions SET payload = 'x' || payload", ['search', 'carburettor']],
  ["UPDATE sessions SET payload = 'x' || payload", ['sessions']],
  ["UPDATE points SET payload = x'00ff' WHERE type = 'chunk'", ['search', 'carburettor']],
  [
    "UPDATE points SET payload = x'00ff' WHERE type = 'idea'",
    ['recall', 'what did we decide about the carburettor'],
  ],
  ["UPDATE points SET payload = x'00ff' WHERE type = 'idea'", ['topics']],
])('leaves out and names what is damaged after %s: %j', async (damage, words) => {
  const world = await indexed();
  change(world, `${damage} ${damage.includes('WHERE') ? 'AND' : 'WHERE'} ${ofDamaged(damage)}`);
  const { status, stdout, stderr } = await runCli(world, words);
  const printed = `${stdout} ${stderr}`.replace(/\s+/g, ' ');
  expect({ status, printed }).toEqual({ status: 0, printed: expect.stringContaining('tune the exhaust') });
  expect(printed.split(LEFT_OUT)).toHaveLength(2);
});

it('names a damaged session in the answers of programs', async () => {
  const world = await indexed();
  change(world, `UPDATE sessions SET payload = 'x' || payload WHERE ${ofDamaged('sessions')}`);
  const { stdout, stderr } = await runCli(world, ['search', 'carburettor', '--json']);
  const { results, notices } = JSON.parse(stdout);
  expect(results.map(({ session_id }: { session_id: string }) => session_id)).toEqual([OTHER]);
  expect(notices).toContainEqual({
    code: 'INDEX_DATA_DAMAGED',
    message: expect.stringContaining(LEFT_OUT),
    hint: expect.stringContaining('smart-fork reindex'),
  });
  expect(stderr).toBe('');
});

it.each([
  ["UPDATE sessions SET payload = 'x' || payload", ['reindex', '--yes', '--no-embed']],
  ["UPDATE points SET payload = x'00ff'", ['reindex', '--yes', '--no-embed']],
  ["UPDATE sessions SET payload = 'x' || payload", ['index', '--session', ID, '--force', '--no-embed']],
  ["UPDATE points SET payload = x'00ff'", ['index', '--session', ID, '--force', '--no-embed']],
])('reads a session again after %s: %j', async (damage, words) => {
  const world = await indexed();
  change(world, `${damage} WHERE ${ofDamaged(damage)}`);
  expect(await runCli(world, words)).toMatchObject({ status: 0 });
  const { stdout, stderr } = await runCli(world, ['search', 'carburettor jets']);
  expect(stdout).toContain('tune the carburettor');
  expect(stderr).toBe('');
});

it('names a damaged session that it does not export, and keeps what was exported of it', async () => {
  const world = await indexed();
  await runCli(world, ['export']);
  change(world, `UPDATE sessions SET payload = 'x' || payload WHERE ${ofDamaged('sessions')}`);
  const { stdout, stderr } = await runCli(world, ['export']);
  expect(stdout).toContain('0 removed');
  expect(stderr.replace(/\s+/g, ' ')).toContain(LEFT_OUT);
});

it('forgets a session whose record is damaged, by its whole id', async () => {
  const world = await indexed();
  const path = change(world, `UPDATE sessions SET payload = 'x' || payload WHERE ${ofDamaged('sessions')}`);
  expect(await runCli(world, ['forget', ID, '--yes'])).toMatchObject({ status: 0 });
  const database = openDatabase(path);
  expect(database.prepare('SELECT session_id FROM sessions').all()).toEqual([{ session_id: OTHER }]);
  database.close();
});

it('indexes a transcript that grew, whose record is damaged', async () => {
  const world = await indexed();
  change(world, `UPDATE sessions SET payload = 'x' || payload WHERE ${ofDamaged('sessions')}`);
  writeClaude(world.claudeHome, ID, [...LINES, line.user('and the choke'), line.assistant('Done too.')]);
  expect(await runCli(world, ['index', '--no-embed'])).toMatchObject({ status: 0 });
  expect((await runCli(world, ['search', 'choke'])).stdout).toContain('tune the carburettor');
});

it('names the file and the remedy if a column of a session is damaged', async () => {
  const world = await indexed();
  const path = change(world, "UPDATE sessions SET repo_name = x'00ff'");
  const { status, stderr } = await runCli(world, ['stats']);
  expect({ status, stderr: stderr.replace(/\s+/g, ' ') }).toEqual({
    status: 1,
    stderr: expect.stringContaining(`cannot use the store ${path}: `),
  });
  expect(stderr.replace(/\s+/g, ' ')).toContain(`Move ${path} aside and run smart-fork index`);
});

const LINES = [
  line.user('tune the carburettor'),
  line.assistant('We decided to use brass jets for the carburettor, because they last longer.'),
  line.user('thanks'),
  line.assistant('Done.'),
];

async function indexed(): Promise<World> {
  const world = createWorld();
  writeClaude(world.claudeHome, ID, LINES);
  writeClaude(world.claudeHome, OTHER, [
    line.user('tune the exhaust'),
    line.assistant('We decided to use steel for the exhaust, away from the carburettor.'),
  ]);
  await runCli(world, ['index', '--no-embed']);
  return world;
}

/** A condition for the rows of the session to be damaged. */
function ofDamaged(damage: string): string {
  return damage.includes('points')
    ? `session = (SELECT rowid FROM sessions WHERE session_id = '${ID}')`
    : `session_id = '${ID}'`;
}

function change(world: World, sql: string): string {
  const path = join(world.folder, 'home', 'index.db');
  const database = openDatabase(path);
  database.exec(sql);
  database.close();
  return path;
}
