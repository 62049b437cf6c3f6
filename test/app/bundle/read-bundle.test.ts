import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBundleFile } from '../../../src/adapters/bundle/bundle-file.ts';
import { readBundle } from '../../../src/app/bundle/read-bundle.ts';
import { SmartForkError } from '../../../src/domain/errors.ts';
import { sealEntries, writeIdentity } from '../../support/files/bundles.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { sessionRecord } from '../../support/transcripts/sessions.ts';

const TEXT = '{"type":"user"}\n';
const SHA = createHash('sha256').update(TEXT).digest('hex');
const ID = '6ddaaadd-3dcc-4f83-868f-73ba71dbb313';

const head = (more: object = {}) => ({
  name: 'bundle.json',
  text: JSON.stringify({
    format: 'smart-fork-bundle',
    version: 1,
    created: '2026-01-01',
    sessions: 1,
    ...more,
  }),
});
const session = (more: object = {}, record: object = {}) => ({
  name: 'sessions/000001/session.json',
  text: JSON.stringify({
    session: { ...sessionRecord({ session_id: ID }), ...record },
    points: [],
    transcripts: [{ agent_id: null, bytes: TEXT.length, sha256: SHA }],
    ...more,
  }),
});
const second = (...more: Parameters<typeof session>) => ({
  ...session(...more),
  name: 'sessions/000002/session.json',
});
const transcript = (more: object = {}) => ({ name: 'sessions/000001/transcript.jsonl', text: TEXT, ...more });

/** Reads a sealed file to its end; returns its session ids and transcript texts. */
async function readAll(bytes: Uint8Array, identity: string): Promise<string[]> {
  const path = join(tempFolder('bundle'), 'a.age');
  writeFileSync(path, bytes);
  const found: string[] = [];
  const entries = createBundleFile(path).read({ identities: [identity] }, new AbortController().signal);
  await readBundle(entries, {
    async session(one) {
      found.push(one.session.session_id);
    },
    async transcript(_about, content) {
      let text = '';
      for await (const part of content) text += Buffer.from(part).toString();
      found.push(text);
    },
  });
  return found;
}

async function key() {
  return writeIdentity(join(tempFolder('key'), 'key'));
}

describe('a bundle', () => {
  it('reads a bundle from its first to its last entry', async () => {
    const { identity, recipient } = await key();
    const bytes = await sealEntries([head(), session(), transcript()], recipient);
    expect(await readAll(bytes, identity)).toEqual([ID, TEXT]);
  });

  it.each([
    ['of a newer version', [head({ version: 2 })], 'this smart-fork supports version 1'],
    ['of another format', [head({ format: 'zip' })], 'bundle.json is malformed'],
    [
      'with an entry too many',
      [head(), session(), transcript(), { name: 'x', text: '' }],
      'entries after the last session',
    ],
    ['without its last entry', [head(), session()], 'transcript.jsonl is missing'],
    [
      'with fewer sessions than it says',
      [head({ sessions: 2 }), session(), transcript()],
      '000002/session.json is missing',
    ],
    ['with another name', [head(), session(), transcript({ name: '../../.bashrc' })], 'instead of'],
    [
      'with a link',
      [head(), { name: 'sessions/000001/session.json', type: 'symlink', linkname: '/etc/passwd' }],
      'is a symlink',
    ],
    ['with a folder', [head(), { name: 'sessions', type: 'directory' }], 'is a directory'],
    [
      'with other bytes',
      [head(), session(), transcript({ text: TEXT.replace('u', 'v') })],
      'does not match its hash',
    ],
    ['with another size', [head(), session(), transcript({ text: `${TEXT} ` })], 'has 17 bytes'],
    ['with a path for an id', [head(), session({}, { session_id: '../../evil' })], 'cannot be the id'],
    [
      'with two ids that differ in case alone',
      [head({ sessions: 2 }), session(), transcript(), second({}, { session_id: ID.toUpperCase() })],
      'cannot be the id',
    ],
    [
      'with the name of a hashed id for an id',
      [head(), session({}, { session_id: `_${SHA}` })],
      'cannot be the id',
    ],
    [
      'with an archive name for an id',
      [head(), session({}, { session_id: `${ID}.agent-x` })],
      'cannot be the id',
    ],
    [
      'with a path for a subagent',
      [head(), session({ transcripts: [{ agent_id: '../x', bytes: 1, sha256: SHA }] })],
      'session record is malformed',
    ],
    [
      'with a transcript twice',
      [head(), session({ transcripts: [0, 0].map(() => ({ agent_id: null, bytes: 1, sha256: SHA })) })],
      'transcript twice',
    ],
    ['with a record of wrong types', [head(), session({}, { tags: 'none' })], 'payload of a session record'],
    [
      'with a passage of another session',
      [head(), session({ points: [{ type: 'intent', session_id: 'other' }] })],
      'a passage of session',
    ],
    [
      'with a header longer than any name',
      [head(), { name: `sessions/${'x'.repeat(3_000_000)}`, text: '' }],
      'a header of more than 1 MB',
    ],
    [
      'with more lists than a session has',
      [head(), { ...session(), text: `[${'[],'.repeat(4_000_001)}[]]` }],
      'more than 8000000 values',
    ],
    ['with what is not JSON', [head(), { ...session(), text: '{' }], 'is not JSON'],
  ])('refuses a bundle %s', async (_what, entries, message) => {
    const { identity, recipient } = await key();
    const bytes = await sealEntries(entries as never, recipient);
    const error = await readAll(bytes, identity).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(SmartForkError);
    expect(error.message).toContain(message);
  });

  it('keeps only known fields of a record', async () => {
    const { identity, recipient } = await key();
    const entries = [head(), session({}, { archived: true, extra: 'x' }), transcript()];
    const path = join(tempFolder('bundle'), 'a.age');
    writeFileSync(path, await sealEntries(entries, recipient));
    const read = createBundleFile(path).read({ identities: [identity] }, new AbortController().signal);
    await readBundle(read, {
      async session({ session: record }) {
        expect(record).toMatchObject({ session_id: ID });
        expect(Object.keys(record).filter((name) => ['archived', 'extra'].includes(name))).toEqual([]);
      },
      async transcript(_about, content) {
        for await (const _ of content);
      },
    });
  });

  it('refuses a bundle that is replaced between the two reads', async () => {
    const { identity, recipient } = await key();
    const path = join(tempFolder('bundle'), 'a.age');
    const file = createBundleFile(path);
    const readOnce = async () => {
      const read = file.read({ identities: [identity] }, new AbortController().signal);
      for await (const { content } of read) for await (const _ of content);
    };
    writeFileSync(path, await sealEntries([head(), session(), transcript()], recipient));
    await readOnce();
    await readOnce();
    writeFileSync(
      path,
      await sealEntries([head(), session({}, { title: 'another' }), transcript()], recipient),
    );
    await expect(readOnce()).rejects.toThrow('replaced while being read');
  });

  it('never accepts a bundle in which a byte is missing or a bit is flipped', async () => {
    const { identity, recipient } = await key();
    const bytes = await sealEntries([head(), session(), transcript()], recipient);
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 60)) {
      const flipped = Uint8Array.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      for (const damaged of [flipped, bytes.subarray(0, at)])
        await expect(readAll(damaged, identity)).rejects.toBeInstanceOf(SmartForkError);
    }
  });

  it('stops reading a bundle that unpacks to far more than its size', async () => {
    const { identity, recipient } = await key();
    const zeros = Buffer.alloc(80 * 1024 * 1024);
    const about = { agent_id: null, bytes: zeros.length, sha256: SHA };
    const entries = [head(), session({ transcripts: [about] }), transcript({ text: zeros })];
    const bomb = await sealEntries(entries, recipient);
    await expect(readAll(bomb, identity)).rejects.toThrow('unpacks to more than 100 times its size');
  });
});
