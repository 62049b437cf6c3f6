import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/open-database.ts';
import { runCli } from '../support/machines/cli.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { claudePath, line, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const ID = uuidOf('damaged');

const OTHER = uuidOf('sound');
const RECORD = `UPDATE sessions SET payload = 'x' || payload WHERE session_id = '${ID}'`;
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

it('does not say that nothing is indexed if all records are damaged', async () => {
  const world = await indexed();
  change(world, "UPDATE sessions SET payload = 'x' || payload");
  const { stderr } = await runCli(world, ['sessions']);
  expect(stderr).toContain('No record of the 2 indexed sessions can be read.');
  expect(stderr).not.toContain('Nothing is indexed yet');
  const { stdout } = await runCli(world, ['search', 'carburettor']);
  expect(stdout).toContain('No session found for "carburettor"');
  expect(stdout).not.toContain('--min-score');
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
  ["UPDATE points SET payload = x'00ff'", ['index', '--force', '--no-embed']],
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

it.each([
  [[ID], 'its id'],
  [[ID.slice(0, 8)], 'the beginning of its id'],
  [['--repo', 'workshop-a'], 'its repository'],
  [['--before', '2026-02-01'], 'its age'],
])('forgets a session whose record is damaged, by %j: %s', async (words) => {
  const world = await indexed();
  const path = change(
    world,
    `${RECORD}; UPDATE sessions SET repo_name = 'workshop-a', ended_at = '2026-01-01T00:00:00.000Z' WHERE ${ofDamaged('')}`,
  );
  expect(await runCli(world, ['forget', ...words, '--yes'])).toMatchObject({ status: 0 });
  const database = openDatabase(path);
  expect(database.prepare('SELECT session_id FROM sessions').all()).toEqual([{ session_id: OTHER }]);
  expect(
    database
      .prepare(`SELECT count(*) AS n FROM points WHERE session NOT IN (SELECT rowid FROM sessions)`)
      .get(),
  ).toEqual({ n: 0 });
  database.close();
});

it.each([
  ['--repo', 'workshop-b'],
  ['--before', '2000-01-01'],
])('forgets no damaged session that %s %s does not select', async (...words) => {
  const world = await indexed();
  change(world, RECORD);
  const { stdout } = await runCli(world, ['forget', ...words, '--dry-run', '--json']);
  expect(JSON.parse(stdout)).toEqual({ forgotten: [], would_forget: [] });
});

it('forgets nothing if the beginning of an id is also that of a damaged session', async () => {
  const world = await indexed();
  const sound = `${ID.slice(0, 9)}${OTHER.slice(9)}`;
  writeClaude(world.claudeHome, sound, [line.user('tune the ignition'), line.assistant('Tuned.')]);
  await runCli(world, ['index', '--no-embed']);
  change(world, RECORD);
  const { status, stderr } = await runCli(world, ['forget', ID.slice(0, 8), '--yes']);
  const printed = stderr.replace(/\s+/g, ' ');
  expect({ status, printed }).toEqual({
    status: 1,
    printed: expect.stringContaining('is a prefix of several ids'),
  });
  expect(printed).toContain(sound);
  expect(printed).toContain(ID);
});

it('loses no session without a transcript in reindex, although its record is damaged', async () => {
  const world = await indexed();
  const path = change(world, RECORD);
  rmSync(claudePath(world.claudeHome, ID));
  const { status, stderr } = await runCli(world, ['reindex', '--yes', '--no-embed']);
  expect({ status, stderr: stderr.replace(/\s+/g, ' ') }).toEqual({
    status: 1,
    stderr: expect.stringContaining(`so reindex would lose them: ${ID}`),
  });
  const database = openDatabase(path);
  expect(database.prepare('SELECT count(*) AS n FROM sessions').get()).toEqual({ n: 2 });
  database.close();
});

it('shows a damaged record in doctor', async () => {
  const world = await indexed();
  change(world, RECORD);
  const { stdout } = await runCli(world, ['doctor', '--json']);
  const { checks } = JSON.parse(stdout);
  expect(checks).toContainEqual({
    name: 'Store',
    status: 'fail',
    message: expect.stringContaining(LEFT_OUT),
    fix: expect.stringContaining('smart-fork reindex'),
  });
});

it('numbers the results from 1 if the best one is damaged', async () => {
  const world = await indexed();
  change(world, RECORD);
  const { stdout } = await runCli(world, ['search', 'carburettor', '--json', '--limit', '1']);
  const results = JSON.parse(stdout).results.map(({ rank, session_id }: Record<string, unknown>) => [
    rank,
    session_id,
  ]);
  expect(results).toEqual([[1, OTHER]]);
});

it.each([[['tag', ID, 'engine']], [['note', ID, 'brass']], [['star', ID.slice(0, 8)]]])(
  'says how to mend a damaged record: %j',
  async (words) => {
    const world = await indexed();
    change(world, RECORD);
    const { status, stderr } = await runCli(world, words);
    expect({ status, stderr: stderr.replace(/\s+/g, ' ') }).toEqual({
      status: 1,
      stderr: expect.stringContaining(
        `the record of session ${ID} is damaged and cannot be read hint: smart-fork index --session ${ID} --force`,
      ),
    });
  },
);

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
