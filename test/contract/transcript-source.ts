import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptEvent } from '../../src/domain/session/transcript-event.ts';
import type { ReadOptions, ReadResult, TranscriptSource } from '../../src/ports/transcript-source.ts';
import { tempFolder } from '../support/files/temp-folder.ts';

/** What the contract needs from a source: transcripts in its format in a temporary folder. */
export interface SourceFixture {
  source: TranscriptSource;
  /**
   * A transcript under the source's roots, with complete lines: a session in /home/dev/widgets with questions and answers that
   * edits src/a.ts, runs `npm test` and commits abc1234, `Add a thing`.
   */
  path: string;
  sessionId: string;
  userTexts: string[];
  assistantTexts: string[];
  /** A fork of that session under the same roots, and its messages after the fork. Absent if the agent has no forks. */
  fork?: { path: string; userTexts: string[]; assistantTexts: string[] };
  /** A file written by another program. */
  foreign: string;
}

/**
 * The contract of TranscriptSource (src/ports/transcript-source.ts) for every adapter.
 * @param inLines whether each session is a file of JSON lines
 */
export function describeTranscriptSource(
  name: string,
  makeFixture: (folder: string) => SourceFixture,
  { inLines = true } = {},
): void {
  describe(`${name} as a TranscriptSource`, () => {
    let folder: string;
    let fixture: SourceFixture;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'smart-fork-source-'));
      fixture = makeFixture(join(folder, 'home'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    describeFinding(() => fixture);
    describeReading(() => fixture);
    describeForks(() => fixture);
    if (!inLines) return;
    describeLines(() => fixture);
    describeGrowth(() => ({ fixture, scratch: join(folder, 'scratch') }));
    describeDamage(() => ({ fixture, scratch: join(folder, 'scratch') }));
  });
}

function describeFinding(given: () => SourceFixture): void {
  it('finds transcripts under its roots', () => {
    const { source, path, sessionId, fork } = given();
    const problems: string[] = [];
    const files = source.find((problem) => problems.push(problem));
    expect(problems).toEqual([]);
    expect(files.map((file) => file.path).sort()).toEqual([path, fork?.path ?? []].flat().sort());
    const found = files.find((file) => file.path === path);
    expect(found).toMatchObject({ agent: source.agent, sessionId });
    // A session in a database counts its messages.
    if (source.bytes !== undefined && found?.inode !== 0)
      expect(found?.size).toBe(bytesOf(source, path).length);
    expect(source.roots.some((root) => path.startsWith(root))).toBe(true);
  });

  it('locates a session by id', () => {
    const { source, path, sessionId } = given();
    expect(source.locate(sessionId)).toBe(path);
    expect(source.locate('../../etc/passwd')).toBeNull();
  });

  it('describes a file by path in the same way as it finds it', () => {
    const { source, path } = given();
    expect(source.inspect(path)).toEqual(source.find().find((file) => file.path === path));
  });

  it("returns null for a file that is missing or another program's", () => {
    const { source, path, foreign } = given();
    expect(source.inspect(`${path}.gone.jsonl`)).toBeNull();
    expect(source.inspect(foreign)).toBeNull();
  });

  it('finds a transcript again at the path to which it is restored', () => {
    const { source, path, sessionId } = given();
    const bytes = bytesOf(source, path);
    const target = source.bytes?.restorePath?.(sessionId, '/home/dev/widgets');
    // Only the agent's own program writes to its database.
    if (target === undefined || source.inspect(path)?.inode === 0) return;
    rmSync(path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes);
    expect(source.find().map((file) => file.sessionId)).toContain(sessionId);
    expect(source.locate(sessionId)).toBe(target);
  });

  it('reads the same from a copy of its bytes in another folder', () => {
    const { source, path, sessionId } = given();
    if (source.bytes === undefined) return;
    const copy = join(tempFolder('copy'), source.bytes.copyName(sessionId));
    writeFileSync(copy, bytesOf(source, path));
    expect(source.inspect(copy)).toMatchObject({ sessionId, path: copy });
    expect(withoutTitles(read(source, copy).events)).toEqual(withoutTitles(read(source, path).events));
  });

  it('names the session in the commands that resume and fork it', () => {
    const { source, path, sessionId } = given();
    const { commands } = source;
    if (commands === undefined) return;
    for (const folder of ['/home/dev/widgets', null]) {
      const target = commands.resumeTarget({ sessionId, path }, folder);
      expect([sessionId, path]).toContain(target);
      for (const words of [commands.resume(target), commands.fork?.(target) ?? [target]])
        expect([sessionId, path].some((named) => words.join(' ').includes(named))).toBe(true);
    }
    expect(commands.start('do it')).toContain('do it');
  });

  it('reads how a session ended', () => {
    const { source, path, sessionId } = given();
    expect(source.facts?.contextSize(path)?.tokens ?? 1).toBeGreaterThan(0);
    expect(source.facts?.contextSize(path, 0) ?? null).toBeNull();
    expect([true, false, null]).toContain(source.facts?.ending?.(path).answered ?? null);
    expect(source.processes?.of(sessionId) ?? []).toEqual([]);
  });
}

function describeReading(given: () => SourceFixture): void {
  it('emits each message once, in order', () => {
    const { source, path, userTexts, assistantTexts } = given();
    const { events } = read(source, path);
    expect(textsOf(events, 'user')).toEqual(userTexts);
    expect(textsOf(events, 'assistant')).toEqual(assistantTexts);
  });

  it('emits calls as one short line each, with their files and commits', () => {
    const { source, path } = given();
    const { events } = read(source, path);
    const calls = textsOf(events, 'tool');
    expect(calls).toEqual(expect.arrayContaining(['Edit src/a.ts', 'Bash: npm test']));
    for (const call of calls) expect(call).toMatch(/^[^\n]{1,200}$/);
    expect(events).toContainEqual({ kind: 'file', path: 'src/a.ts', inherited: false });
    const commit = { hash: 'abc1234', subject: 'Add a thing' };
    expect(events).toContainEqual(expect.objectContaining({ kind: 'commit', commit, inherited: false }));
  });

  it('emits where and when the session ran', () => {
    const { source, path } = given();
    const { events } = read(source, path);
    expect(events.some((event) => event.kind === 'context' && event.cwd === '/home/dev/widgets')).toBe(true);
    for (const event of events) {
      if (event.kind === 'message')
        expect(event.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  it('gives the same events in two reads as in one, wherever the first one stops', () => {
    const { source, path } = given();
    const whole = read(source, path);
    expect(whole.result.lines).toBeGreaterThan(3);
    for (let most = 1; most < whole.result.lines; most += 1) {
      let count = 0;
      const first = read(source, path, { isEnough: () => ++count >= most });
      const { end: from, lines: linesBefore } = first.result;
      expect(linesBefore).toBe(most);
      const second = read(source, path, { from, linesBefore });
      expect(withoutTitles([...first.events, ...second.events])).toEqual(withoutTitles(whole.events));
      expect(second.result).toEqual({ ...whole.result, lines: whole.result.lines - most });
    }
  });

  it('reports positions that grow and lead to the steps of their lines', () => {
    const { source, path, assistantTexts } = given();
    const offsets: number[] = [];
    const { end } = source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (_, offset) =>
      offsets.push(offset),
    );
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect(offsets.at(-1)).toBeLessThan(end);
    const texts: string[] = [];
    source.readSteps(path, { from: 0, to: end }, (step) => step.kind === 'text' && texts.push(step.text));
    expect(texts).toEqual(assistantTexts);
    source.readSteps(path, { from: 0, to: 0 }, (step) => expect.fail(step.kind));
  });

  it('digests only new parts', () => {
    const { source, path } = given();
    const { end, bytes = end } = read(source, path).result;
    const parts = source.digest(path, end, []);
    expect(parts).toHaveLength(Math.ceil(bytes / 1024 / 1024));
    expect(source.digest(path, end, parts)).toEqual(parts);
    expect(source.digest(path, end - 1, [])).not.toEqual(parts);
    if (source.bytes === undefined) return;
    const digests = [...source.bytes.parts(path, 0)].map((part) =>
      createHash('sha256').update(part).digest('hex'),
    );
    expect(parts).toEqual(digests);
  });

  it('throws TRANSCRIPT_UNREADABLE for a transcript that is not there', () => {
    const { source, path } = given();
    expect(() => read(source, `${path}.gone.jsonl`)).toThrow(
      expect.objectContaining({ name: 'SmartForkError', code: 'TRANSCRIPT_UNREADABLE' }),
    );
  });
}

function describeLines(given: () => SourceFixture): void {
  it('has the size of its file', () => {
    const { source, path } = given();
    expect(source.inspect(path)?.size).toBe(readFileSync(path).length);
  });

  it('reads to the end, skips nothing and writes nothing', () => {
    const { source, path } = given();
    const before = readFileSync(path);
    const { result } = read(source, path);
    expect(result).toEqual({
      end: before.length,
      lines: before.toString().split('\n').length - 1,
      skipped: [],
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('reports the offset of each event’s line', () => {
    const { source, path } = given();
    const starts = lineStarts(readFileSync(path));
    const offsets: number[] = [];
    source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (_, offset) => offsets.push(offset));
    expect(offsets.length).toBeGreaterThan(0);
    expect(offsets.filter((offset) => offset !== 0 && !starts.includes(offset))).toEqual([]);
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  });
}

function describeGrowth(given: () => { fixture: SourceFixture; scratch: string }): void {
  it('gives the same events in two parts as at once, wherever it is cut', () => {
    const { source, path } = given().fixture;
    const whole = read(source, path);
    for (const [index, from] of lineStarts(readFileSync(path)).entries()) {
      const first = readUntil(source, path, from);
      const second = read(source, path, { from, linesBefore: index });
      expect(withoutTitles([...first, ...second.events])).toEqual(withoutTitles(whole.events));
      expect(second.result).toEqual({ ...whole.result, lines: whole.result.lines - index });
    }
  });

  it('leaves a line that is still being written for later', () => {
    const { fixture, scratch } = given();
    const bytes = readFileSync(fixture.path);
    const starts = lineStarts(bytes).slice(0, -1);
    const last = starts.at(-1) ?? 0;
    const copy = copyTo(scratch, fixture.path, bytes.subarray(0, Math.floor((last + bytes.length) / 2)));
    const { result } = read(fixture.source, copy);
    expect(result).toEqual({ end: last, lines: starts.length - 1, skipped: [] });
  });

  it('reads a last line without a newline, and counts no line for a newline that follows later', () => {
    const { fixture, scratch } = given();
    const bytes = readFileSync(fixture.path);
    const whole = read(fixture.source, fixture.path);
    const copy = copyTo(scratch, fixture.path, bytes.subarray(0, -1));
    const first = read(fixture.source, copy);
    expect(first.result).toEqual({ ...whole.result, end: bytes.length - 1 });
    expect(first.events).toEqual(whole.events);
    copyTo(scratch, fixture.path, bytes);
    const { result } = read(fixture.source, copy, {
      from: first.result.end,
      linesBefore: first.result.lines,
    });
    expect(result).toEqual({ end: bytes.length, lines: 0, skipped: [] });
  });
}

function describeDamage(given: () => { fixture: SourceFixture; scratch: string }): void {
  it('skips only corrupt lines', () => {
    const { fixture, scratch } = given();
    const lines = readFileSync(fixture.path, 'utf8').split('\n');
    lines.splice(2, 0, '{"type":"user","mess', '17', '', '\u0000\u0000');
    const { events, result } = read(fixture.source, copyTo(scratch, fixture.path, lines.join('\n')));
    expect(events).toEqual(read(fixture.source, fixture.path).events);
    expect(result.skipped).toEqual([
      { line: 3, reason: 'not JSON' },
      { line: 4, reason: 'not an object' },
      { line: 6, reason: 'not JSON' },
    ]);
  });

  it('reads an empty file as an empty session', () => {
    const { fixture, scratch } = given();
    const { events, result } = read(fixture.source, copyTo(scratch, fixture.path, ''));
    expect(events).toEqual([]);
    expect(result).toEqual({ end: 0, lines: 0, skipped: [] });
  });
}

function describeForks(given: () => SourceFixture): void {
  it('identifies a fork’s parent, and separates its own messages from inherited ones', () => {
    const { source, sessionId, fork } = given();
    if (fork === undefined) return;
    const files = source.find();
    const file = files.find(({ path }) => path === fork.path);
    const inheritance = file ? source.findInheritance(file, files) : null;
    expect(inheritance?.parentId).toBe(sessionId);
    const { events } = read(source, fork.path, { inheritedBytes: inheritance?.inheritedBytes ?? 0 });
    const own = events.filter((event) => event.kind === 'message' && !event.inherited);
    expect(textsOf(own, 'user')).toEqual(fork.userTexts);
    expect(textsOf(own, 'assistant')).toEqual(fork.assistantTexts);
  });

  it('gives a fork and its origin the same fingerprint', () => {
    const { source, fork, path } = given();
    const files = source.find();
    const [origin, copy] = [path, fork?.path ?? path].map((wanted) =>
      files.find((file) => file.path === wanted),
    );
    if (!origin || !copy) throw new Error('the fixture lacks a transcript');
    expect(source.head(copy).fingerprint).toBe(source.head(origin).fingerprint);
    expect(source.head(origin).workingDirectory).toBe('/home/dev/widgets');
  });

  it('finds no parent for a session that was not forked', () => {
    const { source, path } = given();
    const file = source.inspect(path);
    expect(file && source.findInheritance(file, source.find())).toBeNull();
  });
}

function bytesOf(source: TranscriptSource, path: string): Buffer {
  return Buffer.concat([...(source.bytes?.parts(path, 0) ?? [])]);
}

function read(
  source: TranscriptSource,
  path: string,
  options: Partial<ReadOptions> = {},
): { events: TranscriptEvent[]; result: ReadResult } {
  const events: TranscriptEvent[] = [];
  const result = source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0, ...options }, (event) => {
    events.push(event);
  });
  return { events, result };
}

/** The events in the first `end` bytes. */
function readUntil(source: TranscriptSource, path: string, end: number): TranscriptEvent[] {
  const copy = copyTo(join(dirname(dirname(path)), 'cut'), path, readFileSync(path).subarray(0, end));
  const { events } = read(source, copy);
  rmSync(dirname(copy), { recursive: true });
  return events;
}

function copyTo(folder: string, path: string, content: string | Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, basename(path));
  copyFileSync(path, copy);
  writeFileSync(copy, content);
  return copy;
}

function lineStarts(bytes: Buffer): number[] {
  const starts = [0];
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
  return starts;
}

function textsOf(events: TranscriptEvent[], role: string): string[] {
  return events.flatMap((event) => (event.kind === 'message' && event.role === role ? [event.text] : []));
}

function withoutTitles(events: TranscriptEvent[]): TranscriptEvent[] {
  return events.filter((event) => event.kind !== 'title');
}
