import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import {
  type PreparedSession,
  type PrepareInput,
  prepareSession,
} from '../../../src/app/index/prepare-session.ts';
import { scanSecrets } from '../../../src/app/privacy/scan-secrets.ts';
import { readPassages, readTurns } from '../../../src/app/sessions/read-conversation.ts';
import { seededRandom } from '../../adapters/secretlint/fake-credential.ts';

const ID = '5d0c9d7e-54a4-4a8e-9b1b-2f7f3c1f0a11';
const secret = (seed: number) => `gh${'p_'}${seededRandom(seed).pick('ABCDEFGHabcdefgh01234567', 36)}`;
let home = '';
let path = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'smart-fork-redact-'));
  mkdirSync(join(home, 'projects', '-srv-shop'), { recursive: true });
  path = join(home, 'projects', '-srv-shop', `${ID}.jsonl`);
});
afterEach(() => rmSync(home, { recursive: true }));

it('writes no secret of a session, wherever the transcript contains it', async () => {
  writeFileSync(path, transcript());
  const { change, cursor } = await prepare(null);
  const stored = JSON.stringify([change, cursor]);
  for (let seed = 1; seed <= 8; seed += 1)
    expect(stored, `secret ${seed}`).not.toContain(secret(seed).slice(4, 20));
  expect(stored).not.toMatch(/hooli|for my eyes/i);
  expect(change.session.payload.title).toBe('deploy with [REDACTED:github] please');
  expect(change.session.payload.files_touched).toEqual(['config/[REDACTED:github].env']);
  expect(change.session.payload.commits[0]?.subject).toBe('rotate [REDACTED:github]');
  expect(change.session.payload.user_messages).toBe(2);
});

it('redacts a transcript read in halves like one read at once', async () => {
  const lines = transcript().split(/(?<=\n)/);
  writeFileSync(path, lines.join(''));
  const whole = await prepare(null);
  for (let cut = 1; cut < lines.length; cut += 1) {
    writeFileSync(path, lines.slice(0, cut).join(''));
    const first = await prepare(null);
    appendFileSync(path, lines.slice(cut).join(''));
    const second = await prepare(first);
    const texts = new Map([...first.change.upserts, ...second.change.upserts].map((one) => [one.id, one]));
    expect([...texts.values()].toSorted(byId)).toEqual(whole.change.upserts.toSorted(byId));
    expect(second.change.session).toEqual(whole.change.session);
  }
});

it('cuts a long tool call before a word, leaving no half of a secret', async () => {
  const command = `${'echo word '.repeat(18)} && curl -H ${secret(3)} https://api.acme.io`;
  writeFileSync(path, toLines([assistant([{ type: 'tool_use', name: 'Bash', input: { command } }])]));
  const stored = JSON.stringify((await prepare(null)).change);
  expect(stored).not.toContain(secret(3).slice(0, 12));
  expect(stored).toContain('-H…');
});

it('redacts context read from a transcript for an agent', async () => {
  writeFileSync(path, transcript());
  const source = createClaudeSource({ homes: [home] });
  const passages = await readPassages(source, path, createRedactor());
  const { turns } = await readTurns(source, path, createRedactor());
  const text = JSON.stringify([passages, turns]);
  expect(text).toContain('deploy with [REDACTED:github] please');
  for (let seed = 2; seed <= 8; seed += 1) expect(text).not.toContain(secret(seed).slice(4, 20));
});

it('counts rules in a scan and never shows the secrets found', async () => {
  writeFileSync(path, transcript());
  const sources = [createClaudeSource({ homes: [home] })];
  const report = await scanSecrets({ sources, redactor: createRedactor() }, {});
  expect(report).toMatchObject({ scanned: 1, failed: [], interrupted: false });
  expect(report.sessions).toMatchObject([{ session_id: ID, path }]);
  expect(report.rules.github).toBeGreaterThanOrEqual(7);
  expect(JSON.stringify(report)).not.toContain('gh' + 'p_');
});

function transcript(): string {
  return toLines([
    { type: 'summary', summary: `about ${secret(1)}` },
    user(`deploy with ${secret(2)} please`),
    assistant([
      { type: 'text', text: `I use ${secret(3)} <private>for my eyes</private>` },
      { type: 'tool_use', name: 'Bash', input: { command: `export GH=${secret(4)} && make` } },
      { type: 'tool_use', name: 'Write', input: { file_path: `/srv/shop/config/${secret(5)}.env` } },
      { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'git commit -am rotate' } },
    ]),
    user([
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: `[main abc1234] rotate ${secret(6)}\n 1 file changed, 1 insertion(+)\n`,
      },
    ]),
    user(`and <private>for Hooli, with ${secret(7)}\n\n</private>commit it`),
    user('<private>only this</private>'),
    assistant([{ type: 'text', text: `${'A long answer about many things. '.repeat(200)}${secret(8)}` }]),
    { type: 'custom-title', customTitle: `deploy with ${secret(2)} please` },
  ]);
}

function user(content: unknown) {
  return { type: 'user', message: { role: 'user', content } };
}

function assistant(content: unknown[]) {
  return { type: 'assistant', message: { role: 'assistant', content } };
}

function toLines(lines: object[]): string {
  const common = { cwd: '/srv/shop', timestamp: '2025-11-21T10:00:00.000Z', sessionId: ID };
  return lines.map((line, at) => `${JSON.stringify({ ...line, ...common, uuid: `${at}` })}\n`).join('');
}

async function prepare(before: PreparedSession | null): Promise<PreparedSession> {
  const source = createClaudeSource({ homes: [home] });
  const file = source.inspect(path);
  if (file === null) throw new Error('no transcript');
  const settings = {
    machine: 'here',
    sizes: { min: 60, target: 120, max: 200, overlap: 20 },
    chunking: 'x',
    storeId: 's',
  };
  const input: PrepareInput = {
    file,
    source,
    settings,
    probe: () => null,
    redactor: createRedactor(),
    limit: { run: (work) => work(), isOver: () => false },
    stored: before?.change.session.payload ?? null,
    cursor: before?.cursor ?? null,
    storedHashes: async () => new Map(),
    modelIdeas: () => [],
    origin: async () => ({ fingerprint: null, inheritance: null, turnsBefore: 0 }),
  };
  return prepareSession(input);
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1;
}
