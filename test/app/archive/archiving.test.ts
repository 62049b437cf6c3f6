import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { archiveTranscripts } from '../../../src/app/archive/archive-transcripts.ts';
import { archiveDependencies, type Parts } from '../../../src/compose/parts.ts';
import { bytesOf } from '../../support/machines/archive-place.ts';
import { createWorld, indexWorld, openWorld, type World } from '../../support/machines/world.ts';
import { sampleLines, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const idOf = (at: number) =>
  `${at}${at}${at}${at}1111-1111-4111-8111-111111111111`.slice(-36).padStart(36, '0');

/** Sessions with unique words; the last one is the newest. */
function write(world: World, count: number, filler = 0): string[] {
  return Array.from({ length: count }, (_, at) => {
    const sessionId = idOf(at);
    const path = writeClaude(world.claudeHome, sessionId, stampLines(sampleLines(), { sessionId }));
    // Text that compresses badly.
    if (filler > 0) appendFileSync(path, `{"type":"x","data":"${noise(filler, at)}"}\n`);
    const time = new Date(Date.UTC(2026, 0, 1 + at));
    utimesSync(path, time, time);
    return sessionId;
  });
}

function noise(length: number, seed: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < length) {
    state = (state * 1103515245 + 12345) % 2147483648;
    text += state.toString(36);
  }
  return text.slice(0, length);
}

async function archive(
  parts: Parts,
  more: { maxBytes?: number; enabled?: boolean; signal?: AbortSignal } = {},
) {
  const { signal, ...settings } = more;
  return archiveTranscripts(
    { ...(await archiveDependencies(parts)), ...settings },
    signal === undefined ? {} : { signal },
  );
}

async function archivedIds(parts: Parts): Promise<string[]> {
  return (await parts.archive.list()).map(({ sessionId }) => sessionId).sort();
}

it('archives each indexed session once', async () => {
  const world = createWorld();
  const ids = write(world, 3);
  const parts = await openWorld(world);
  expect(await archive(parts)).toMatchObject({ kept: 0 });
  await indexWorld(parts);
  expect(await archive(parts)).toEqual({ kept: 3, evicted: 0, failed: [], interrupted: false });
  expect(await archivedIds(parts)).toEqual(ids);
  expect(await archive(parts)).toMatchObject({ kept: 0 });
});

it('deletes the leftovers of a process killed after it wrote the manifest', async () => {
  const world = createWorld();
  const [id = ''] = write(world, 2);
  const parts = await openWorld(world);
  await indexWorld(parts);
  await archive(parts);
  const folder = join(world.home, 'archive', id);
  const whole = readdirSync(folder);
  writeFileSync(join(folder, 'manifest.json.4711.tmp'), '{"sess');
  writeFileSync(join(folder, '0000-superseded.br'), 'a part');
  expect(await archive(parts)).toMatchObject({ kept: 0, failed: [] });
  expect(readdirSync(folder)).toEqual(whole);
});

it('leaves a folder of another program alone', async () => {
  const world = createWorld();
  const [id = ''] = write(world, 2);
  const parts = await openWorld(world);
  await indexWorld(parts);
  await archive(parts);
  const folder = join(world.home, 'archive', id);
  mkdirSync(join(folder, '@eaDir'));
  writeFileSync(join(folder, 'manifest.json.4711.tmp'), '{"sess');
  expect(await archive(parts)).toMatchObject({ kept: 0, failed: [] });
  expect(readdirSync(folder)).toContain('@eaDir');
  expect(readdirSync(folder)).not.toContain('manifest.json.4711.tmp');
});

it('keeps the newest sessions that fit, and does not retry the others', async () => {
  const world = createWorld();
  const ids = write(world, 6, 60_000);
  const parts = await openWorld(world);
  await indexWorld(parts);
  await archive(parts);
  const sizes = (await parts.archive.list()).map(({ storedBytes }) => storedBytes);
  const maxBytes = Math.max(...sizes) * 3;
  expect(await archive(parts, { maxBytes })).toMatchObject({ kept: 0, evicted: 3 });
  expect(await archivedIds(parts)).toEqual(ids.slice(3));
  expect(await archive(parts, { maxBytes })).toEqual({ kept: 0, evicted: 0, failed: [], interrupted: false });
});

it('evicts the oldest session for a new one, even if its transcript is gone', async () => {
  const world = createWorld();
  const ids = write(world, 3, 60_000);
  const parts = await openWorld(world);
  await indexWorld(parts);
  await archive(parts);
  const stored = (await parts.archive.list()).map(({ storedBytes }) => storedBytes);
  const maxBytes = stored.reduce((sum, one) => sum + one, 0) + Math.min(...stored) / 2;
  const project = join(world.claudeHome, 'projects');
  for (const folder of readdirSync(project)) rmSync(join(project, folder, `${ids[0]}.jsonl`));
  const sessionId = idOf(9);
  const path = writeClaude(world.claudeHome, sessionId, stampLines(sampleLines(), { sessionId }));
  appendFileSync(path, `{"type":"x","data":"${noise(60_000, 9)}"}\n`);
  await indexWorld(parts);
  expect(await archive(parts, { maxBytes })).toMatchObject({ kept: 1, evicted: 1 });
  expect(await archivedIds(parts)).toEqual([...ids.slice(1), sessionId]);
});

it('does not evict other sessions for one that exceeds the limit', async () => {
  const world = createWorld();
  const ids = write(world, 2);
  const parts = await openWorld(world);
  await indexWorld(parts);
  await archive(parts);
  const sessionId = idOf(9);
  const path = writeClaude(world.claudeHome, sessionId, stampLines(sampleLines(), { sessionId }));
  appendFileSync(path, `{"type":"x","data":"${noise(200_000, 9)}"}\n`);
  await indexWorld(parts);
  expect(await archive(parts, { maxBytes: 50_000 })).toMatchObject({ kept: 0, evicted: 0 });
  expect(await archivedIds(parts)).toEqual(ids);
});

it('archives nothing if archiving is off, but still restores earlier copies', async () => {
  const world = createWorld();
  const [id = ''] = write(world, 1);
  const parts = await openWorld(world);
  await indexWorld(parts);
  await archive(parts, { enabled: false });
  expect(existsSync(join(world.home, 'archive'))).toBe(false);
  await archive(parts);
  const off = await openWorld(world, { SMART_FORK_ARCHIVE: 'off' });
  expect((await archiveDependencies(off)).enabled).toBe(false);
  expect(await bytesOf(off.archive, id)).not.toBeNull();
});

it('deletes the archived copy of a session excluded by privacy rules', async () => {
  const world = createWorld();
  const [id = ''] = write(world, 1);
  const before = await openWorld(world);
  await indexWorld(before);
  await archive(before);
  writeFileSync(
    join(world.home, 'config.json'),
    JSON.stringify({ privacy: { exclude: { paths: ['/home/dev'] } } }),
  );
  const parts = await openWorld(world);
  expect((await indexWorld(parts)).excluded).toBe(1);
  expect(await archivedIds(parts)).toEqual([]);
  await archive(parts);
  expect(await bytesOf(parts.archive, id)).toBeNull();
});

it('deletes the copy of a session forgotten while it was being archived', async () => {
  const world = createWorld();
  const [id = ''] = write(world, 1);
  const parts = await openWorld(world);
  await indexWorld(parts);
  const deps = await archiveDependencies(parts);
  let asked = 0;
  const store = {
    getSessions: async (sessionIds: string[]) => {
      asked += 1;
      return asked === 1 ? deps.store.getSessions(sessionIds) : [];
    },
  };
  await archiveTranscripts({ ...deps, store }, {});
  expect(asked).toBe(2);
  expect(await bytesOf(parts.archive, id)).toBeNull();
});

it('stops archiving when aborted, and the next run continues', async () => {
  const world = createWorld();
  const ids = write(world, 4);
  const parts = await openWorld(world);
  await indexWorld(parts);
  const stop = new AbortController();
  const deps = await archiveDependencies(parts);
  const onProgress = ({ done }: { done: number }) => {
    if (done === 2) stop.abort();
  };
  const report = await archiveTranscripts(deps, { signal: stop.signal, onProgress });
  expect(report).toMatchObject({ interrupted: true, kept: 3 });
  expect(await archive(parts)).toMatchObject({ interrupted: false, kept: 1 });
  expect(await archivedIds(parts)).toEqual(ids);
});

it('archives the other transcripts if one is unreadable', async () => {
  const world = createWorld();
  const ids = write(world, 2);
  const parts = await openWorld(world);
  await indexWorld(parts);
  const files = parts.sources.flatMap((source) => source.find());
  const [lost] = files;
  if (lost === undefined) throw new Error('no transcripts');
  rmSync(lost.path);
  const report = await archiveTranscripts(await archiveDependencies(parts), { files });
  expect(report.failed).toMatchObject([{ path: lost.path }]);
  expect(await archivedIds(parts)).toEqual(ids.filter((id) => id !== lost.sessionId));
});

it('throws STORE_UNAVAILABLE and overwrites nothing if the archive cannot be written', async () => {
  const world = createWorld();
  write(world, 1);
  mkdirSync(world.home);
  writeFileSync(join(world.home, 'archive'), 'a file where the folder should be');
  const parts = await openWorld(world);
  expect((await indexWorld(parts)).indexed).toBe(1);
  await expect(archive(parts)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(readFileSync(join(world.home, 'archive'), 'utf8')).toContain('a file');
});
