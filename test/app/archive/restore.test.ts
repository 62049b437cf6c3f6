import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { projectSlug } from '../../../src/adapters/claude/files/restore-path.ts';
import { archiveTranscripts } from '../../../src/app/archive/archive-transcripts.ts';
import { type Restored, restoreSession } from '../../../src/app/archive/restore-session.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { archiveDependencies, type Parts } from '../../../src/compose/parts.ts';
import type { ArchiveReader } from '../../../src/ports/session-archive.ts';
import { rounds } from '../../support/campaign.ts';
import { findShared } from '../../support/files/find-shared.ts';
import { sampleCorpora } from '../../support/files/sample-corpora.ts';
import { createWorld, indexWorld, openWorld, type World } from '../../support/machines/world.ts';
import { sampleLines, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';
import {
  CHILD_ID,
  codexMeta,
  codexText,
  PARENT_ID,
  paginated,
  paginatedSession,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const ID = '8402b1ed-99dc-417d-86a9-36a1478036dc';
const SESSION = { session_id: ID, agent: 'claude' as const };

interface Place {
  world: World;
  parts: Parts;
  /** The transcript as the agent left it. */
  path: string;
  bytes: Buffer;
  project: string;
  /** The path to which it is restored. */
  target: string;
  restore(more?: { dryRun?: boolean; archives?: ArchiveReader[] }): Promise<Restored | null>;
}

/** A machine with one indexed and archived session; `lose` deletes the transcript as the agent does after 30 days. */
async function place({ lose = true } = {}): Promise<Place> {
  const world = createWorld();
  const path = writeClaude(world.claudeHome, ID, stampLines(sampleLines()));
  const parts = await openWorld(world);
  await indexWorld(parts);
  expect((await archiveTranscripts(await archiveDependencies(parts), {})).kept).toBe(1);
  const bytes = readFileSync(path);
  if (lose) rmSync(path);
  const project = join(world.folder, 'my project');
  mkdirSync(project);
  const target = join(world.claudeHome, 'projects', projectSlug(project), `${ID}.jsonl`);
  return {
    world,
    parts,
    path,
    bytes,
    project,
    target,
    restore: ({ dryRun = false, archives = parts.archives } = {}) =>
      restoreSession({ ...parts, archives, threads: {} }, { session: SESSION, directory: project, dryRun }),
  };
}

it('restores a deleted transcript byte for byte to where the agent finds it', async () => {
  const { restore, target, bytes, project, world } = await place();
  const restored = await restore();
  expect(restored).toMatchObject({ state: 'restored', path: target, bytes: bytes.length, done: true });
  expect(readFileSync(target).equals(bytes)).toBe(true);
  expect([statSync(target).mode & 0o777, statSync(dirname(target)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(restored?.resume_command).toBe(`cd '${project}' && claude --resume ${ID}`);
  expect(restored?.fork_command).toBe(`cd '${project}' && claude --resume ${ID} --fork-session`);
  expect(readdirSync(dirname(target))).toEqual([`${ID}.jsonl`]);
  expect(existsSync(join(world.home, 'tmp'))).toBe(false);
});

it('restores a transcript from which a rebuilt index gets the session’s ideas again', async () => {
  const { restore, parts, world } = await place();
  const ideasIn = async (opened: Parts) => (await opened.store()).listMemory('idea', {}, 100);
  const before = await ideasIn(parts);
  expect(before).toContainEqual(
    expect.objectContaining({ session_id: ID, content: 'Committed: Add a thing' }),
  );
  await indexWorld(parts);
  expect(await ideasIn(parts)).toEqual(before);
  await restore();
  await parts.localFile.drop();
  const again = await openWorld(world);
  await indexWorld(again);
  expect(await ideasIn(again)).toEqual(before);
});

it('does nothing if the transcript is already restored', async () => {
  const { restore, target } = await place();
  await restore();
  const { ino, mtimeMs } = statSync(target);
  expect(await restore()).toMatchObject({ state: 'unchanged', path: target });
  expect(statSync(target)).toMatchObject({ ino, mtimeMs });
});

it('only reports what a restore would do in a dry run', async () => {
  const { restore, target } = await place();
  expect(await restore({ dryRun: true })).toMatchObject({ state: 'restored', path: target, done: false });
  expect(existsSync(dirname(target))).toBe(false);
});

it('replaces a transcript that contains only the beginning, wherever the agent has it', async () => {
  const { restore, path, bytes } = await place({ lose: false });
  for (const size of [bytes.length - 1, 100, 0]) {
    truncateSync(path, size);
    expect(await restore()).toMatchObject({ state: 'replaced', path });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  }
});

it('leaves alone a transcript that has grown since it was archived', async () => {
  const { restore, path, bytes } = await place({ lose: false });
  appendFileSync(path, '{"type":"user"}\n');
  expect(await restore()).toMatchObject({ state: 'longer', path });
  expect(readFileSync(path)).toHaveLength(bytes.length + 16);
});

it('refuses to replace another transcript, and names the file in the way', async () => {
  const { restore, path, bytes } = await place({ lose: false });
  for (const other of [Buffer.from('another\n'), Buffer.concat([Buffer.from('x'), bytes.subarray(1)])]) {
    writeFileSync(path, other);
    await expect(restore()).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNREADABLE',
      message: expect.stringContaining(path),
      hint: expect.stringContaining('move it away'),
    });
    expect(readFileSync(path).equals(other)).toBe(true);
  }
});

it('restores nothing from a damaged copy, and tries the next archive', async () => {
  const { restore, target, bytes, parts, world } = await place();
  const folder = join(world.home, 'archive', ID);
  const part = readdirSync(folder).find((name) => name.endsWith('.br')) ?? '';
  const good = readFileSync(join(folder, part));
  writeFileSync(join(folder, part), good.subarray(0, good.length - 4));
  await expect(restore()).rejects.toMatchObject({ message: expect.stringContaining(part) });
  expect(existsSync(target)).toBe(false);
  const second: ArchiveReader = {
    name: 'the second archive',
    mayHold: () => true,
    find: async (id) => parts.archive.find(id),
    async *read() {
      yield bytes;
    },
    findByPrefix: async () => [],
  };
  expect(await restore({ archives: [parts.archive, second] })).toMatchObject({ from: 'the second archive' });
  expect(readFileSync(target).equals(bytes)).toBe(true);
});

it('restores nothing from an archive whose bytes do not match its manifest', async () => {
  const { restore, target, parts } = await place();
  const liar: ArchiveReader = {
    ...parts.archive,
    async *read() {
      yield Buffer.from('not it\n');
    },
  };
  await expect(restore({ archives: [liar] })).rejects.toMatchObject({ code: 'TRANSCRIPT_UNREADABLE' });
  expect(readdirSync(dirname(target))).toEqual([]);
});

it('leaves nothing half-written if a write fails, and names the file', async () => {
  const { restore, target, world } = await place();
  mkdirSync(join(world.claudeHome, 'projects'), { recursive: true });
  writeFileSync(dirname(target), 'a file where the folder should be');
  await expect(restore()).rejects.toMatchObject({ message: expect.stringContaining(target) });
  expect(readFileSync(dirname(target), 'utf8')).toContain('a file');
});

it('removes the leftovers of a killed restore', async () => {
  const { restore, target } = await place();
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(join(dirname(target), `.${ID}.jsonl.999999999.restoring`), 'half');
  await restore();
  expect(readdirSync(dirname(target))).toEqual([`${ID}.jsonl`]);
});

it('never restores outside the agents’ folders, whatever the id', async () => {
  const { parts, project, world } = await place();
  const copy = join(world.folder, 'copy.jsonl');
  writeFileSync(copy, '{}\n');
  for (const agent of ['claude', 'codex'] as const) {
    const session = { session_id: '../../../../../escaped', agent };
    const file = { agent, path: copy, sessionId: session.session_id, size: 3, mtimeMs: 1, inode: 1 };
    await parts.archive.save(file, () => [readFileSync(copy)]);
    await expect(
      restoreSession({ ...parts, threads: {} }, { session, directory: project }),
    ).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNREADABLE',
      message: expect.stringContaining('not a valid file name'),
    });
  }
  const everything = readdirSync(world.folder, { recursive: true }).map(String);
  expect(everything.filter((path) => path.includes('escaped'))).toEqual([]);
});

it('restores a session whose parent cannot be restored, and reports what is missing', async () => {
  const { parts, project, world } = await place();
  const base = { forked_from_id: PARENT_ID, forked_from_ordinal_exclusive: 9 };
  const paths = [
    writeCodex(world.codexHome, PARENT_ID, codexText(paginatedSession(PARENT_ID), 0)),
    writeCodex(world.codexHome, CHILD_ID, codexText([codexMeta(CHILD_ID, base), ...paginated.user('On')], 9)),
  ];
  await indexWorld(parts);
  expect((await archiveTranscripts(await archiveDependencies(parts), {})).kept).toBe(2);
  for (const path of paths) rmSync(path);
  const manifest = join(world.home, 'archive', PARENT_ID, 'manifest.json');
  const whole = readFileSync(manifest);
  writeFileSync(manifest, 'broken');
  const session = { session_id: CHILD_ID, agent: 'codex' as const };
  const restored = await restoreSession({ ...parts, threads: {} }, { session, directory: project });
  expect(restored).toMatchObject({ state: 'restored', parents: [] });
  expect(restored?.notes).toEqual([expect.stringContaining(manifest)]);
  writeFileSync(manifest, whole);
  expect(await restoreSession({ ...parts, threads: {} }, { session, directory: project })).toMatchObject({
    state: 'unchanged',
    parents: [PARENT_ID],
    notes: [],
  });
});

it('reports that a session is not archived', async () => {
  const { parts, project } = await place();
  const session = { session_id: 'nobody', agent: 'claude' as const };
  expect(await restoreSession({ ...parts, threads: {} }, { session, directory: project })).toBeNull();
});

it.runIf(findShared('corpora'))(
  'restores every session of the corpora with the hash of the original',
  async () => {
    const world = createWorld();
    const corpora = sampleCorpora(5);
    const originals = await openWorld(world, {
      CLAUDE_CONFIG_DIR: join(corpora, 'claude'),
      CODEX_HOME: join(corpora, 'codex'),
    });
    const files = originals.sources.flatMap((source) => source.find());
    await indexWorld(originals);
    await archiveTranscripts(await archiveDependencies(originals), {});
    const store = await originals.store();
    // The same index and archive, but agents without files.
    const parts = await openWorld(world);
    const wrong: string[] = [];
    let checked = 0;
    for (const { agent, path, sessionId } of files) {
      if ((await getSession(store, sessionId)) === null) continue;
      const session = { session_id: sessionId, agent };
      const restored = await restoreSession({ ...parts, threads: {} }, { session, directory: world.folder });
      if (restored === null || hashOf(restored.path) !== hashOf(path)) wrong.push(path);
      checked += 1;
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(rounds({ quick: 10, slow: 50 }));
  },
  120_000,
);

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
