import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tempFolder } from '../support/files/temp-folder.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createWorld, openWorld } from '../support/machines/world.ts';
import { releaseDatabases } from '../support/stores/release-databases.ts';
import { line, stampLines, uuidOf, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const ID = uuidOf('full');

it('reads the index from a full disk, reports that it is full when something must be written, and loses nothing', async (test) => {
  const disk = mountSmallDisk();
  if (disk === null) return test.skip('a file system cannot be mounted here');
  const world = createWorld();
  const env = { SMART_FORK_HOME: join(disk, 'home') };
  const lines = [line.user('tune the carburettor'), line.assistant('It runs.')];
  writeClaude(world.claudeHome, ID, stampLines(lines, { sessionId: ID }));
  await runJson(world, ['index', '--no-embed', '--archive'], { env });
  const before = await runJson(world, ['sessions'], { env });
  // Its log would be removed later and leave room.
  await releaseDatabases();
  fill(disk);
  expect(await runJson(world, ['sessions'], { env })).toMatchObject(before);
  for (const words of [
    ['search', 'carburettor'],
    ['show', ID],
    ['recall', 'carburettor'],
    ['topics', ID],
    ['retrieve', ID],
  ])
    expect(await runCli(world, words, { env }), words.join(' ')).toMatchObject({ status: 0 });
  // Nothing to show, and nothing is missing.
  for (const words of [['open'], ['timeline']])
    expect(await runCli(world, words, { env }), words.join(' ')).toMatchObject({ status: 0, stderr: '' });
  for (const words of [
    ['star', ID],
    ['note', ID, 'look here'],
    ['tag', ID, 'kept'],
    ['index', '--force', '--no-embed'],
    ['memory', 'backfill', '--all'],
    ['reindex', '--yes', '--no-embed'],
    ['forget', ID, '--yes'],
    ['config', 'set', 'memory.suggest', 'quiet'],
  ]) {
    const { status, stderr } = await runCli(world, words, { env });
    expect([status, stderr], words.join(' ')).toEqual([1, expect.stringContaining('disk space')]);
  }
  await releaseDatabases();
  fill(disk);
  const parts = await openWorld(world, env);
  await parts.store();
  expect(await parts.localFile.isReplaced()).toBe(false);
  rmSync(join(disk, 'fill'));
  // The open store shows the file as it was, so a continuing process must open it again.
  expect(await parts.localFile.isReplaced()).toBe(true);
  await parts.close();
  expect(await runJson(world, ['sessions'], { env })).toEqual(before);
  expect(await runCli(world, ['star', ID], { env })).toMatchObject({ status: 0 });
  expect(await runCli(world, ['restore', ID, '--print'], { env })).toMatchObject({ status: 0 });
});

/** A 4 MB file system, which requires the right to mount one. */
function mountSmallDisk(): string | null {
  const disk = join(tempFolder('disk'), 'small');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', disk]));
  return disk;
}

function fill(disk: string): void {
  for (const size of [64 * 1024, 4096, 1]) {
    try {
      for (;;) writeFileSync(join(disk, 'fill'), Buffer.alloc(size), { flag: 'a' });
    } catch {
      // No block of this size is left.
    }
  }
}
