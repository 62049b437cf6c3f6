import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/database/open-database.ts';
import { runCli } from '../support/machines/cli.ts';
import { createWorld } from '../support/machines/world.ts';
import { line, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const ID = uuidOf('damaged');

it.each([
  ["UPDATE sessions SET payload = 'x' || payload", ['search', 'carburettor']],
  ["UPDATE points SET payload = x'00ff' WHERE type = 'idea'", ['topics']],
  ["UPDATE points SET payload = x'00ff' WHERE type = 'idea'", ['recall', 'what did we decide']],
  ["UPDATE sessions SET repo_name = x'00ff'", ['stats']],
])('names the file and the remedy after %s: %j', async (damage, words) => {
  const world = createWorld();
  writeClaude(world.claudeHome, ID, [
    line.user('tune the carburettor'),
    line.assistant('We decided to use brass jets, because they last longer.'),
    line.user('thanks'),
    line.assistant('Done.'),
  ]);
  await runCli(world, ['index', '--no-embed']);
  const path = join(world.folder, 'home', 'index.db');
  const database = openDatabase(path);
  database.exec(damage);
  database.close();
  const { status, stderr } = await runCli(world, words);
  expect({ status, stderr: stderr.replace(/\s+/g, ' ') }).toEqual({
    status: 1,
    stderr: expect.stringMatching(
      /cannot use the store \S+index\.db: .*Move \S+index\.db aside and run smart-fork index/,
    ),
  });
});
