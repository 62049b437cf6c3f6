import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { writeIdentity } from '../../support/files/bundles.ts';
import { type CliMachine, PROGRAM, useCliMachines } from '../../support/machines/cli-machine.ts';

const bundleShape = {
  file: z.string(),
  sessions: z.array(z.string()),
  transcripts: z.number(),
  bytes: z.number(),
  without_transcript: z.array(z.string()),
  stored_bytes: z.number().nullable(),
  done: z.boolean(),
};

const importedShape = {
  file: z.string(),
  sessions: z.number(),
  imported: z.array(z.string()),
  same: z.array(z.string()),
  different: z.array(z.string()),
  left_out: z.array(z.object({ session_id: z.string(), reason: z.enum(['forgotten', 'excluded']) })),
  done: z.boolean(),
  interrupted: z.boolean(),
};

const createCliMachine = useCliMachines();

const ID = '6ddaaadd-3dcc-4f83-868f-73ba71dbb313';

/** A machine with indexed sessions, an empty machine, and a key that opens bundles sealed for `recipient`. */
async function twoMachines() {
  const [from, to] = [createCliMachine(), createCliMachine({ transcripts: false })];
  await from.run(['index', '--no-embed']);
  const key = join(to.folder, 'key');
  const file = join(from.folder, 'sessions.age');
  const { recipient } = await writeIdentity(key);
  return {
    from,
    to,
    key,
    file,
    recipient,
    exported: (...words: string[]) =>
      json(from, ['export', '--bundle', file, '--recipient', recipient, ...words]),
    imported: (...words: string[]) => json(to, ['import', file, '--identity', key, ...words]),
  };
}

async function json(machine: CliMachine, words: string[]) {
  const { stdout } = await machine.run([...words, '--json']);
  return JSON.parse(stdout);
}

function pathOf({ folder }: CliMachine): string {
  const names = readdirSync(join(folder, 'claude'), { recursive: true }).map(String);
  return join(folder, 'claude', names.find((name) => name.endsWith(`${ID}.jsonl`)) ?? '');
}

function transcriptOf(machine: CliMachine): Buffer {
  return readFileSync(pathOf(machine));
}

describe('a bundle', () => {
  it('carries a session to another machine with its tags, note, star and ideas, and its transcript byte for byte', async () => {
    const { from, to, exported, imported, file } = await twoMachines();
    await from.run(['tag', ID, 'usage']);
    await from.run(['note', ID, 'look here']);
    await from.run(['star', ID]);
    expect(z.strictObject(bundleShape).parse(await exported())).toMatchObject({
      done: true,
      transcripts: 13,
      without_transcript: [],
    });
    expect(readFileSync(file).includes(ID)).toBe(false);
    const report = z.strictObject(importedShape).parse(await imported());
    expect(report).toMatchObject({ sessions: 13, same: [], different: [], left_out: [], done: true });
    expect(report.imported).toHaveLength(13);
    for (const words of [
      ['show', ID],
      ['recall', 'token usage'],
      ['topics', ID],
    ]) {
      const [one, other] = [await json(from, words), await json(to, words)].map(comparable);
      expect(other).toEqual(one);
    }
    expect(readdirSync(join(to.folder, 'claude'))).toEqual([]);
    await to.run(['restore', ID, '--to', to.folder]);
    expect(transcriptOf(to)).toEqual(transcriptOf(from));
    expect(await imported()).toMatchObject({ imported: [], different: [] });
  });

  it('exports only sessions selected by id or filter, and describes the bundle before writing it', async () => {
    const { from, file, recipient, exported } = await twoMachines();
    const words = ['export', '--bundle', file, '--recipient', recipient, '--dry-run'];
    const shown = await from.run([...words, ID.slice(0, 8)]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('1 session');
    expect(shown.stdout).toContain('not redacted');
    expect(existsSync(file)).toBe(false);
    expect((await exported('--repo', 'harbor-dashboard', '--dry-run')).sessions).toContain(ID);
    expect(await from.run([...words, ID, '--agent', 'claude'])).toMatchObject({ code: 2 });
    expect(await from.run(['export', ID])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--bundle'),
    });
    const written = await from.run([...words.slice(0, -1), ID]);
    expect(written.stdout).toContain(`\nsmart-fork import ${file} --identity KEYFILE\n`);
    const bytes = readFileSync(file);
    expect(await exported(ID)).toMatchObject({ error: { message: `${file} already exists` } });
    expect(readFileSync(file)).toEqual(bytes);
  });

  it('leaves forgotten and excluded sessions out of a bundle', async () => {
    const { to, exported, imported } = await twoMachines();
    await exported();
    const { imported: ids } = await imported('--dry-run');
    await imported();
    const others: string[] = ids.filter((id: string) => id !== ID);
    await to.run(['forget', ID, '--yes']);
    expect(await imported()).toMatchObject({
      imported: [],
      same: others,
      left_out: [{ session_id: ID, reason: 'forgotten' }],
    });
    writeFileSync(
      join(to.home, 'config.json'),
      '{"privacy": {"exclude": {"repositories": ["harbor-dashboard"]}}}',
    );
    const { left_out } = await imported();
    const [other = ''] = ids.filter((id: string) => id.startsWith('52557132'));
    expect(left_out).toContainEqual({ session_id: other, reason: 'excluded' });
  });

  it('applies the importing machine’s rules and patterns to every folder and branch of a session', async () => {
    const { from, to, exported, imported } = await twoMachines();
    const path = pathOf(from);
    const [line = ''] = readFileSync(path, 'utf8')
      .split('\n')
      .filter((one) => one.includes('"type":"user"'));
    const later = { ...JSON.parse(line), uuid: '0b1a7e55-0000-4000-8000-000000000001', cwd: '/srv/client-b' };
    appendFileSync(path, `${JSON.stringify(later)}\n`);
    await from.run(['index', '--no-embed']);
    await exported();
    mkdirSync(to.home, { recursive: true });
    const settings = (privacy: object) =>
      writeFileSync(join(to.home, 'config.json'), JSON.stringify({ privacy }));
    settings({ exclude: { paths: ['/srv/client-b'] } });
    expect((await imported('--dry-run')).left_out).toEqual([{ session_id: ID, reason: 'excluded' }]);
    settings({ redact: [{ name: 'word', pattern: 'overview' }] });
    await imported();
    const { stdout } = await to.run(['show', ID]);
    expect(stdout).toContain('[REDACTED:word]');
    expect(stdout).not.toContain('overview');
    writeFileSync(
      join(from.home, 'config.json'),
      JSON.stringify({ privacy: { exclude: { paths: ['/srv/client-b'] } } }),
    );
    const { sessions } = await json(from, ['export', '--bundle', join(from.folder, 'b.age'), '--dry-run']);
    expect([sessions.length, sessions.includes(ID)]).toEqual([12, false]);
  });

  it('leaves alone a session that has continued since, names it, and exits with 1', async () => {
    const { from, file, key, exported } = await twoMachines();
    await exported(ID);
    const importing = ['import', file, '--identity', key];
    expect(await json(from, importing)).toMatchObject({ same: [ID] });
    const before = transcriptOf(from).toString();
    const last = before.trimEnd().split('\n').at(-1);
    appendFileSync(pathOf(from), `${last}\n`);
    await from.run(['index', '--no-embed']);
    const ran = await from.run(importing);
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining(`${ID} differs here`) });
    expect(transcriptOf(from).toString()).toBe(`${before}${last}\n`);
  });

  it.skipIf(process.platform === 'win32')('refuses a key file that others can read', async () => {
    const { to, file, key, exported } = await twoMachines();
    await exported(ID);
    chmodSync(key, 0o644);
    expect(await to.run(['import', file, '--identity', key])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/other users can read/),
    });
  });

  it('opens a bundle only with its passphrase', async () => {
    const { from, to, file, key } = await twoMachines();
    const secret = join(from.folder, 'passphrase');
    writeFileSync(secret, 'short\n', { mode: 0o644 });
    const words = ['export', '--bundle', file, '--passphrase-file', secret, ID];
    if (process.platform !== 'win32')
      expect(await from.run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod 600') });
    chmodSync(secret, 0o600);
    expect(await from.run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('8 characters') });
    writeFileSync(secret, 'correct horse battery\n');
    expect(await from.run(words)).toMatchObject({ code: 0, stderr: '' });
    const importing = ['import', file, '--passphrase-file', secret];
    expect(await to.run(['import', file])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not a terminal'),
    });
    expect(await to.run(['import', file, '--identity', key])).toMatchObject({ code: 2 });
    writeFileSync(secret, 'another horse battery\n');
    expect(await to.run(importing)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('wrong passphrase'),
    });
    expect(existsSync(join(to.home, 'index.db'))).toBe(false);
    writeFileSync(secret, 'correct horse battery\n');
    expect(await to.run(importing)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 session imported'),
    });
  });

  it('refuses a damaged bundle before writing anything', async () => {
    const { to, file, exported, imported } = await twoMachines();
    await exported();
    const bytes = readFileSync(file);
    const last = bytes.length - 5;
    for (const damaged of [bytes.subarray(0, -70_000), bytes.with(last, (bytes[last] ?? 0) ^ 7)]) {
      writeFileSync(file, damaged);
      const { error } = await imported();
      expect(error).toMatchObject({
        code: 'TRANSCRIPT_UNREADABLE',
        hint: expect.stringContaining('Copy the file again'),
      });
    }
    writeFileSync(file, 'not sealed');
    expect((await imported()).error.message).toContain('not encrypted with age');
    expect(existsSync(join(to.home, 'index.db')) || existsSync(join(to.home, 'archive'))).toBe(false);
  });

  it('lets several processes import the same bundle at once without reporting differences', async () => {
    const { to, file, key, exported } = await twoMachines();
    await exported();
    const words = ['import', file, '--identity', key, '--json'];
    const reports = await Promise.all(
      Array.from({ length: 6 }, () =>
        promisify(execFile)(process.execPath, [PROGRAM, ...words], { env: to.env }),
      ),
    );
    for (const { stdout } of reports) {
      const { imported, same, different } = JSON.parse(stdout);
      expect({ all: imported.length + same.length, different }).toEqual({ all: 13, different: [] });
    }
  });

  it('completes a killed import with the next one', async () => {
    const { to, file, key, exported, imported } = await twoMachines();
    await exported();
    const child = spawn(process.execPath, [PROGRAM, 'import', file, '--identity', key], { env: to.env });
    const ended = new Promise((done) => child.once('exit', done));
    // As soon as the first transcript is archived; a faster import ends before the kill.
    const archive = join(to.home, 'archive');
    while (child.exitCode === null && !(existsSync(archive) && readdirSync(archive).length > 0))
      await wait(1);
    child.kill('SIGKILL');
    await ended;
    const { imported: now, same, different } = await imported();
    expect({ all: now.length + same.length, different }).toEqual({ all: 13, different: [] });
    expect(await imported()).toMatchObject({ imported: [], different: [] });
    const { checks } = await json(to, ['doctor']);
    expect(checks).not.toContainEqual(expect.objectContaining({ name: 'Archive', status: 'fail' }));
  });

  it.skipIf(!existsSync('/usr/bin/age'))(
    'is a tar archive that age opens, and one that age sealed is imported',
    async () => {
      const { file, key, recipient, exported, imported } = await twoMachines();
      await exported(ID);
      const plain = execFileSync('/usr/bin/age', ['--decrypt', '--identity', key, file]);
      const names = execFileSync('tar', ['--list', '--gzip'], { input: plain, encoding: 'utf8' });
      expect(names).toBe('bundle.json\nsessions/000001/session.json\nsessions/000001/transcript.jsonl\n');
      writeFileSync(file, execFileSync('/usr/bin/age', ['--recipient', recipient], { input: plain }));
      expect(await imported()).toMatchObject({ imported: [ID] });
    },
  );
});

/** Masks text that depends on where and when a command was run. */
function comparable(answer: unknown): unknown {
  const places = new Set([
    'local',
    'can_fork',
    'fork_command',
    'resume_command',
    'took_ms',
    'notices',
    'transcript',
    'location',
    'restorable',
    'usage',
  ]);
  return JSON.parse(JSON.stringify(answer, (name, value) => (places.has(name) ? undefined : value)));
}
