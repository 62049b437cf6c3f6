import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { everyNth } from '../support/campaign.ts';
import { runCli, runJson } from '../support/machines/cli.ts';
import { createSharingWorld, type SharingWorld, writeSession } from '../support/machines/sharing-world.ts';
import type { Collection } from '../support/qdrant/double/collection.ts';
import { startCheckedDouble } from '../support/qdrant/qdrant-place.ts';
import { line, uuidOf } from '../support/transcripts/claude-transcripts.ts';

const FIRST = uuidOf('hostile ids');
const TALK = [line.user('Please debounce the zebra search box'), line.assistant('It waits for 300 ms.')];
/** What a server may claim that a session, its machine, its folder and its branch are called. */
const NAMES = [
  '../../../../../../PWN',
  '/PWN/absolute',
  'a/../../PWN',
  '..',
  '.',
  '~/PWN',
  'x\0PWN',
  '\u001b]0;PWN\u0007\u001b[2J',
  '\u202eNWP',
  '-rf',
  '--exec',
  "'; touch PWN; '",
  '$(touch PWN)',
  'CON',
  '__proto__',
  'x'.repeat(10_000),
  '',
];
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

it.each([
  [['session_id', 'parent_id']],
  [['machine', 'working_directory', 'branch', 'repo_name', 'repo_key', 'title', 'content_hash', 'agent']],
])('writes only where it should with a server whose %j are hostile', { timeout: 600_000 }, async (fields) => {
  for (const name of everyNth(3, NAMES)) {
    const double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const atlas = createSharingWorld('atlas', double.url);
    const borea = createSharingWorld('borea', double.url);
    writeSession(atlas, FIRST, TALK);
    expect(await runJson(atlas, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
    for (const collection of double.collections.values()) rename(collection, fields, name);
    const before = filesIn(borea);
    for (const id of new Set([name, name.slice(0, 8), FIRST]))
      for (const words of commandsFor(id)) {
        const { status, stdout, stderr } = await runCli(borea, words);
        const what = `${JSON.stringify(name.slice(0, 40))}: ${JSON.stringify(words).slice(0, 120)}: ${stderr}`;
        expect([0, 1, 2], what).toContain(status);
        expect(stderr, what).not.toMatch(/TypeError|RangeError|bug in smart-fork/);
        expect(stdout + stderr, what).not.toMatch(UNSAFE);
      }
    const added = filesIn(borea).filter((path) => !before.includes(path) && !ALLOWED.test(path));
    expect(added, JSON.stringify(name.slice(0, 40))).toEqual([]);
    expect(existsSync('/PWN')).toBe(false);
    for (const world of [atlas, borea]) rmSync(world.folder, { recursive: true, force: true });
  }
});

/** smart-fork's home, the folder for the export, temporary files, and the target of `restore`. */
const ALLOWED = /^(?:home|export|tmp)(?:\/|$)|^claude\/projects(?:\/-[\w-]+(?:\/[\w.-]+\.jsonl)?)?$/;

function commandsFor(id: string): string[][] {
  // No program can be given these as an argument.
  if (id.includes('\0')) return [['sessions'], ['export', '--to', 'export']];
  return [
    ['sessions'],
    ['search', 'zebra'],
    ['show', '--', id],
    ['restore', '--', id],
    ['fork', '--check', '--', id],
    ['chain', '--', id],
    ['retrieve', '--query', 'zebra', '--', id],
    ['export', '--to', 'export'],
  ];
}

function rename(collection: Collection, fields: string[], name: string): void {
  const { points } = collection.scroll({ limit: 10_000, with_payload: true }) as unknown as {
    points: { id: string; payload: Record<string, unknown> }[];
  };
  for (const { id, payload } of points) {
    const known = fields.filter((field) => field in payload);
    const renamed = Object.fromEntries(known.map((field) => [field, name]));
    collection.setPayload({ points: [id], payload: renamed });
  }
}

function filesIn({ folder }: SharingWorld): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !lstatSync(join(folder, path)).isSocket(),
  );
}
