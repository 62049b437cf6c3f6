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
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { bytesOf, filesOf, linesOf, MIB, openArchive, save } from '../../support/machines/archive-place.ts';

const ID = '11111111-2222-4333-8444-555555555555';

function place(bytes: Uint8Array, id = ID) {
  const folder = tempFolder('archive');
  const home = join(folder, 'home');
  const path = join(folder, 'projects', '-work', `${id}.jsonl`);
  mkdirSync(join(path, '..'), { recursive: true });
  mkdirSync(home);
  writeFileSync(path, bytes);
  return { folder, home, path, archive: openArchive(home) };
}

/** All files except the manifest, with inode and mtime. */
function partStamps(home: string, id = ID): Record<string, number> {
  const names = filesOf(home, id).filter((name) => name.endsWith('.br'));
  return Object.fromEntries(names.map((name) => [name, statSync(join(home, 'archive', id, name)).ino]));
}

it('restores a transcript of any size byte for byte', async () => {
  for (const size of [1, 100, MIB - 1, MIB, MIB + 1, 2 * MIB + 12_345]) {
    const bytes = linesOf(size);
    const { archive, path } = place(bytes);
    expect((await save(archive, path)).kind).toBe('saved');
    expect((await bytesOf(archive, ID))?.equals(bytes)).toBe(true);
  }
});

it('archives bytes that are neither text nor lines', async () => {
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7 + (at >> 8)) % 256));
  const { archive, path } = place(bytes);
  await save(archive, path);
  expect((await bytesOf(archive, ID))?.equals(bytes)).toBe(true);
});

it('writes only the last part and new parts of a transcript that grew', async () => {
  const { archive, path, home } = place(linesOf(2 * MIB + 500));
  expect((await save(archive, path)).writtenParts).toBe(3);
  const before = partStamps(home);
  appendFileSync(path, linesOf(MIB, 'b'));
  expect((await save(archive, path)).writtenParts).toBe(2);
  const after = partStamps(home);
  expect(Object.keys(after)).toHaveLength(4);
  const [first = '', second = '', third = ''] = Object.keys(before);
  expect([after[first], after[second]]).toEqual([before[first], before[second]]);
  expect(after[third]).toBeUndefined();
  expect((await bytesOf(archive, ID))?.equals(readFileSync(path))).toBe(true);
});

it('writes nothing for an unchanged transcript', async () => {
  const { archive, path, home } = place(linesOf(5000));
  await save(archive, path);
  const before = statSync(join(home, 'archive', ID, 'manifest.json')).mtimeMs;
  expect(await save(archive, path)).toMatchObject({ kind: 'unchanged', writtenParts: 0 });
  expect(statSync(join(home, 'archive', ID, 'manifest.json')).mtimeMs).toBe(before);
});

it('archives a transcript again after it was rewritten in place', async () => {
  const { archive, path, home } = place(linesOf(2 * MIB + 500));
  await save(archive, path);
  const rewritten = Buffer.concat([linesOf(100, 'compacted'), linesOf(2 * MIB + 800)]);
  writeFileSync(path, rewritten);
  await save(archive, path);
  expect((await bytesOf(archive, ID))?.equals(rewritten)).toBe(true);
  expect(filesOf(home, ID)).toHaveLength(4);
});

it('archives the file that replaced a transcript and reuses equal parts', async () => {
  const { archive, path } = place(linesOf(2 * MIB + 500));
  await save(archive, path);
  const other = Buffer.concat([linesOf(2 * MIB), linesOf(300, 'z')]);
  rmSync(path);
  writeFileSync(`${path}.new`, other);
  writeFileSync(path, other);
  expect((await save(archive, path)).writtenParts).toBeLessThanOrEqual(1);
  expect((await bytesOf(archive, ID))?.equals(other)).toBe(true);
});

it('keeps the longer copy of a truncated transcript until its content diverges', async () => {
  const bytes = linesOf(2 * MIB + 500);
  const { archive, path, home } = place(bytes);
  await save(archive, path);
  for (const size of [MIB + 77, MIB, 10, 0]) {
    truncateSync(path, size);
    expect((await save(archive, path)).kind).toBe('unchanged');
    expect((await bytesOf(archive, ID))?.equals(bytes)).toBe(true);
    expect(filesOf(home, ID)).toHaveLength(4);
  }
  writeFileSync(path, 'something else\n');
  expect((await save(archive, path)).kind).toBe('saved');
  expect((await bytesOf(archive, ID))?.toString()).toBe('something else\n');
});

it('names a damaged file and returns none of its bytes', async () => {
  const damage: ((path: string) => void)[] = [
    (path) => truncateSync(path, 20),
    (path) => writeFileSync(path, 'no brotli'),
    (path) => rmSync(path),
    (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0x55;
      writeFileSync(path, bytes);
    },
  ];
  for (const harm of damage) {
    const { archive, path, home } = place(linesOf(MIB + 500));
    await save(archive, path);
    const part = filesOf(home, ID).find((name) => name.startsWith('00001-')) ?? '';
    harm(join(home, 'archive', ID, part));
    await expect(bytesOf(archive, ID)).rejects.toMatchObject({
      code: 'TRANSCRIPT_UNREADABLE',
      message: expect.stringContaining(part),
    });
  }
});

it('treats a copy with a missing or truncated part as absent, and repairs it from the transcript', async () => {
  const { archive, path, home } = place(linesOf(3 * MIB + 500));
  await save(archive, path);
  for (const part of filesOf(home, ID).filter((name) => name.endsWith('.br'))) {
    for (const harm of [rmSync, (file: string) => truncateSync(file, 20)]) {
      harm(join(home, 'archive', ID, part));
      expect(await archive.list()).toEqual([]);
      expect(await save(archive, path)).toMatchObject({ kind: 'saved', writtenParts: 1 });
      expect((await bytesOf(archive, ID))?.equals(readFileSync(path))).toBe(true);
      expect(await archive.list()).toHaveLength(1);
    }
  }
  rmSync(join(home, 'archive', ID, filesOf(home, ID)[3] ?? ''));
  truncateSync(path, 2 * MIB);
  expect((await save(archive, path)).kind).toBe('saved');
  expect((await bytesOf(archive, ID))?.equals(readFileSync(path))).toBe(true);
});

it('rejects a part of another session', async () => {
  const { archive, path, home } = place(linesOf(800));
  await save(archive, path);
  const [part = ''] = filesOf(home, ID);
  const { archive: other, path: otherPath, home: otherHome } = place(linesOf(800, 'other'));
  await save(other, otherPath);
  const [otherPart = ''] = filesOf(otherHome, ID);
  writeFileSync(join(home, 'archive', ID, part), readFileSync(join(otherHome, 'archive', ID, otherPart)));
  await expect(bytesOf(archive, ID)).rejects.toMatchObject({ message: expect.stringContaining(part) });
});

it('refuses a modified manifest, and repairs it from the transcript', async () => {
  const { archive, path, home } = place(linesOf(MIB + 500));
  await save(archive, path);
  const manifest = join(home, 'archive', ID, 'manifest.json');
  const text = readFileSync(manifest, 'utf8');
  const otherId = text.replace(ID, '../../elsewhere');
  for (const wrong of ['', '{}', text.slice(0, 100), text.replace(/"digest":"./, '"digest":"0'), otherId]) {
    writeFileSync(manifest, wrong);
    await expect(archive.find(ID)).rejects.toMatchObject({ message: expect.stringContaining(manifest) });
    expect(await archive.list()).toEqual([]);
    expect(await archive.findByPrefix('', 5)).toEqual([]);
  }
  await save(archive, path);
  expect((await bytesOf(archive, ID))?.equals(readFileSync(path))).toBe(true);
});

it('makes files and folders readable only by their owner', async () => {
  const { archive, path, home } = place(linesOf(500));
  await save(archive, path);
  const modes = ['', ID, ...filesOf(home, ID).map((name) => join(ID, name))].map(
    (name) => statSync(join(home, 'archive', name)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
});

it('finds sessions by prefix, even if the id is not a valid file name', async () => {
  const odd = 'a backup of ../it: ü';
  const { archive, path, folder } = place(linesOf(500));
  await save(archive, path);
  const oddPath = join(folder, 'odd.jsonl');
  writeFileSync(oddPath, 'odd\n');
  const file = { agent: 'claude' as const, path: oddPath, sessionId: odd, size: 4, mtimeMs: 1, inode: 1 };
  await archive.save(file, () => [readFileSync(oddPath)]);
  expect(await archive.findByPrefix('1111', 5)).toEqual([ID]);
  expect(await archive.findByPrefix('A B', 5)).toEqual([odd]);
  expect((await bytesOf(archive, odd))?.toString()).toBe('odd\n');
  expect(archive.mayHold({ session_id: odd })).toBe(true);
  expect(archive.mayHold({ session_id: 'other' })).toBe(false);
});

it('removes only the sessions it is given', async () => {
  const { archive, path, home } = place(linesOf(500));
  await save(archive, path);
  expect(await archive.remove(['nobody', ID])).toBe(1);
  expect(await archive.find(ID)).toBeNull();
  expect(existsSync(join(home, 'archive', ID))).toBe(false);
  expect(await archive.remove([ID])).toBe(0);
});

it('lists archived sessions with their sizes', async () => {
  const { archive, path } = place(linesOf(3 * MIB));
  await save(archive, path);
  const [entry] = await archive.list();
  expect(entry).toMatchObject({ sessionId: ID, bytes: 3 * MIB, source: { path, size: 3 * MIB } });
  expect(entry?.storedBytes).toBeGreaterThan(100);
  expect(entry?.storedBytes).toBeLessThan(2 * MIB);
});

it('serializes two writers, leaving the complete state of one of them', async () => {
  const { archive, path, home } = place(linesOf(MIB + 10));
  const other = openArchive(home);
  for (let round = 0; round < 8; round += 1) {
    if (round % 3 === 2) writeFileSync(path, linesOf(MIB + round * 1000, `round ${round}`));
    else appendFileSync(path, linesOf(300_000, `more ${round}`));
    await Promise.all([save(archive, path), save(other, path), save(archive, path)]);
    expect((await bytesOf(other, ID))?.equals(readFileSync(path))).toBe(true);
  }
  const manifest = JSON.parse(readFileSync(join(home, 'archive', ID, 'manifest.json'), 'utf8'));
  expect(filesOf(home, ID)).toHaveLength(manifest.parts.length + 1);
});

it('removes the leftovers of a killed writer', async () => {
  const { archive, path, home } = place(linesOf(MIB + 10));
  await save(archive, path);
  const folder = join(home, 'archive', ID);
  writeFileSync(join(folder, '00007-abc.br.123.tmp'), 'half');
  writeFileSync(join(folder, '00002-ffff.br'), 'nobody names it');
  appendFileSync(path, 'x\n');
  await save(archive, path);
  expect(readdirSync(folder)).toHaveLength(3);
});

it('says what to do when the archive cannot be written', async () => {
  const { archive, path, home } = place(linesOf(500));
  writeFileSync(join(home, 'archive'), 'a file where the folder should be');
  await expect(save(archive, path)).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining(join(home, 'archive')),
    hint: expect.stringContaining('archive.enabled'),
  });
  expect(await archive.find(ID)).toBeNull();
  expect(await archive.list()).toEqual([]);
});

it('removes the subagents of a session whose id is not a valid file name', async () => {
  const id = `${ID}@atlas`;
  const subagent = `${id}.agent-a1b2c3`;
  const { archive, path, home } = place(linesOf(1000));
  const saveAs = (sessionId: string) => {
    const { size, mtimeMs, ino } = statSync(path);
    const file = { agent: 'claude' as const, sessionId, path, size, mtimeMs, inode: ino };
    return archive.save(file, () => [readFileSync(path)]);
  };
  await saveAs(id);
  await saveAs(subagent);
  expect(readdirSync(join(home, 'archive'))).toHaveLength(2);
  expect(await archive.remove([id])).toBe(1);
  expect(readdirSync(join(home, 'archive'))).toEqual([]);
});
