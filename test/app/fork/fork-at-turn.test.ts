import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { readTurns, turnOffsets } from '../../../src/app/sessions/read-conversation.ts';
import type { Redactor } from '../../../src/ports/redactor.ts';
import type { TranscriptFile, TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { rounds } from '../../support/campaign.ts';
import { findShared } from '../../support/files/find-shared.ts';
import { pick, seededRandom } from '../../support/random.ts';
import { sessionId, sessionLines, writeSession } from './claude-session.ts';
import { cutAtTurn } from './cut-at-turn.ts';

const asIs: Redactor = { redact: async (texts) => texts.map(({ text }) => ({ text, rules: [] })) };

let folder: string;
let source: TranscriptSource;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-cut-'));
  source = createClaudeSource({ homes: [join(folder, 'claude')] });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function sketch(number: number, asks: string[]) {
  return { home: join(folder, 'claude'), id: sessionId(number), cwd: '/home/dev/widgets', asks };
}

function inspect(path: string): TranscriptFile {
  const file = source.inspect(path);
  if (file === null) throw new Error(`${path} is no transcript`);
  return file;
}

function cut(path: string, turn: number, workingDirectory = '/home/dev/widgets') {
  return cutAtTurn(source, inspect(path), turn, workingDirectory);
}

describe('a fork at a turn', () => {
  it('copies exactly the turns up to the given one, to the folder in which the agent looks', async () => {
    const path = writeSession(sketch(1, ['one', 'two', 'three']));
    const fork = await cut(path, 2, '/elsewhere/project');
    expect(dirname(fork.path)).toBe(join(folder, 'claude', 'projects', '-elsewhere-project'));
    const { turns } = await readTurns(source, fork.path, asIs);
    expect(turns.map(({ user }) => user)).toEqual(['one', 'two']);
    expect(turns).toEqual((await readTurns(source, path, asIs)).turns.slice(0, 2));
    expect(fork).toMatchObject({ turn: 2, turns: 3 });
  });

  it('changes only ids, and makes the file private to the user', async () => {
    const path = writeSession(sketch(1, ['sessionId: "x" — schön 日本 😀 \\u2028', 'two']));
    const before = sha(path);
    const fork = await cut(path, 1);
    expect(originalBytes(fork.path, sessionId(1), fork.sessionId)).toBe(firstLines(path, 4));
    expect(statSync(fork.path).mode & 0o777).toBe(0o600);
    expect(sha(path)).toBe(before);
    expect(readdirSync(dirname(fork.path)).filter((name) => !name.endsWith('.jsonl'))).toEqual([]);
  });

  it('writes a copy that names its parent, and is not mistaken for the parent of its origin', async () => {
    const path = writeSession(sketch(1, ['one', 'two', 'three']));
    const fork = await cut(path, 2);
    const siblings = source.find();
    const inheritance = source.findInheritance(inspect(fork.path), siblings);
    expect(inheritance?.parentId).toBe(sessionId(1));
    expect(source.findInheritance(inspect(path), siblings)).toBeNull();
  });

  it('writes a copy that can be cut again and still names the origin of its lines', async () => {
    const path = writeSession(sketch(1, ['one', 'two', 'three']));
    const second = await cut((await cut(path, 2)).path, 1);
    expect(source.findInheritance(inspect(second.path), [])?.parentId).toBe(sessionId(1));
  });

  it('copies the results of calls that follow a queued prompt', async () => {
    const original = sketch(1, ['one', 'two']);
    const lines = sessionLines(original);
    const queued = (operation: string, content?: string) =>
      JSON.stringify({
        type: 'queue-operation',
        operation,
        content,
        timestamp: '2026-03-01T10:01:30.000Z',
        sessionId: original.id,
      });
    lines.splice(2, 0, queued('enqueue', 'and this'), queued('remove'));
    const path = writeSession(original);
    rmSync(path);
    writeFileSync(path, `${lines.join('\n')}\n`);
    const fork = await cut(path, 1);
    expect(readFileSync(fork.path, 'utf8')).toContain('"tool_result"');
    expect((await readTurns(source, fork.path, asIs)).turns.map(({ user }) => user)).toEqual(['one']);
  });

  it('refuses a part without an answer', async () => {
    const original = sketch(1, ['one', 'two']);
    const path = writeSession(original);
    const lines = sessionLines(original).filter((text) => !text.includes('"role":"assistant"'));
    writeFileSync(path, `${lines.join('\n')}\n`);
    await expect(cut(path, 1)).rejects.toThrow(/no answer up to turn 1/);
  });

  it('keeps the first answer although the head of the file has a prompt queued later', async () => {
    const original = sketch(1, ['one', 'two']);
    const path = writeSession(original);
    const head = ['enqueue', 'dequeue'].map((operation) =>
      JSON.stringify({
        type: 'queue-operation',
        operation,
        content: operation === 'enqueue' ? 'two' : undefined,
        timestamp: '2036-03-01T10:01:30.000Z',
        sessionId: original.id,
      }),
    );
    writeFileSync(path, `${[...head, ...sessionLines(original)].join('\n')}\n`);
    const { turns } = await readTurns(source, (await cut(path, 1)).path, asIs);
    expect(turns.map(({ user }) => user)).toEqual(['one']);
    expect(turns[0]?.assistant).not.toBe('');
  });

  it('copies damaged lines unchanged', async () => {
    const original = sketch(1, ['one', 'two']);
    const lines = sessionLines(original);
    lines.splice(1, 0, '{"type":"assistant","sessionId":"00000001', '// a note', '');
    const path = writeSession(original);
    writeFileSync(path, lines.join('\r\n'));
    const fork = await cut(path, 1);
    expect(originalBytes(fork.path, original.id, fork.sessionId)).toBe(firstLines(path, 7));
  });

  it('refuses a turn that does not exist, and leaves nothing behind', async () => {
    const path = writeSession(sketch(1, ['one', 'two']));
    await expect(cut(path, 3)).rejects.toThrow(/no turn 3: it has 2/);
    await expect(cut(path, 0)).rejects.toThrow(/no turn 0/);
    expect(readdirSync(dirname(path))).toEqual([`${sessionId(1)}.jsonl`]);
  });
});

describe('forks at random turns', () => {
  const corpus = findShared('corpora', 'claude');
  it(corpus === null
    ? 'copies generated sessions (the corpus is missing)'
    : 'copies sessions of the corpus', async () => {
    const origin = corpus === null ? source : createClaudeSource({ homes: [corpus] });
    if (corpus === null) {
      for (let n = 1; n <= 6; n += 1)
        writeSession(
          sketch(
            n,
            Array.from({ length: n + 2 }, (_, turn) => `ask ${n}.${turn}`),
          ),
        );
    }
    const both: TranscriptSource = { ...origin, cut: source.cut?.bind(source) };
    const files = origin.find().filter(({ path }) => turnOffsets(origin, path).length > 0);
    const random = seededRandom(20261121);
    for (let round = 0; round < rounds({ quick: 15, slow: 100 }); round += 1) {
      const transcript = pick(random, files);
      const before = sha(transcript.path);
      const turn = 1 + random(turnOffsets(origin, transcript.path).length);
      const all = (await readTurns(origin, transcript.path, asIs)).turns;
      if (all.slice(0, turn).every(({ assistant, tools }) => assistant === '' && tools.length === 0))
        continue;
      const fork = await cutAtTurn(both, transcript, turn, '/home/dev/widgets');
      expect((await readTurns(source, fork.path, asIs)).turns).toEqual(all.slice(0, turn));
      const brokenBefore = brokenLinks(transcript.path);
      expect(brokenLinks(fork.path).filter((id) => !brokenBefore.includes(id))).toEqual([]);
      const bytes = originalBytes(fork.path, transcript.sessionId, fork.sessionId);
      expect(readFileSync(transcript.path, 'latin1').startsWith(bytes)).toBe(true);
      expect(sha(transcript.path)).toBe(before);
      rmSync(fork.path);
    }
  }, 120_000);
});

/** The fork's bytes with ids changed back to the original ones. */
function originalBytes(path: string, origin: string, own: string): string {
  return readFileSync(path, 'latin1')
    .replaceAll(`"sessionId":"${own}","requestSessionId":"${origin}"`, `"sessionId":"${origin}"`)
    .replaceAll(`"sessionId":"${own}"`, `"sessionId":"${origin}"`);
}

function firstLines(path: string, count: number): string {
  return readFileSync(path, 'latin1')
    .split(/(?<=\n)/)
    .slice(0, count)
    .join('');
}

/** Parent ids that are missing from the file. */
function brokenLinks(path: string): string[] {
  const known = new Set<unknown>();
  const broken: string[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { uuid, parentUuid } = JSON.parse(line);
    known.add(uuid);
    if (parentUuid && !known.has(parentUuid)) broken.push(parentUuid);
  }
  return broken;
}

function sha(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
