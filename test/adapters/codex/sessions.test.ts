import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import type { TranscriptFile, TranscriptSource } from '../../../src/ports/transcript-source.ts';
import {
  CHILD_ID,
  codexMeta,
  codexPath,
  codexText,
  codexTurn,
  legacySession,
  PARENT_ID,
  paginated,
  paginatedSession,
  SESSION_ID,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';
import { zstdBomb, zstdFrame } from '../../support/transcripts/zstd-frame.ts';

const CHILD_TURN = '019f2000-0001-7000-8000-00000000000b';

let home: string;
let source: TranscriptSource;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'smart-fork-codex-'));
  source = createCodexSource({ homes: [home] });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('finding Codex sessions', () => {
  it('finds and reports nothing in a home without sessions', () => {
    const problems: string[] = [];
    expect(createCodexSource({ homes: [join(home, 'none')] }).find((path) => problems.push(path))).toEqual(
      [],
    );
    expect(problems).toEqual([]);
  });

  it('searches several homes and ignores other files', () => {
    const other = join(home, 'other');
    writeCodex(home, SESSION_ID, codexText(legacySession()));
    writeCodex(other, CHILD_ID, codexText(legacySession(CHILD_ID)));
    writeFileSync(join(home, 'sessions/2026/07/01/notes.jsonl'), '{}\n');
    mkdirSync(codexPath(home, PARENT_ID));
    const found = createCodexSource({ homes: [home, other] }).find();
    expect(found.map((file) => file.sessionId).sort()).toEqual([SESSION_ID, CHILD_ID]);
  });

  it('marks archived sessions and gives the command that brings them back', () => {
    const path = writeCodex(home, SESSION_ID, codexText(legacySession()), 'archived_sessions');
    expect(source.find()).toMatchObject([{ path, sessionId: SESSION_ID, archived: true }]);
    expect(source.inspect(path)?.archived).toBe(true);
    expect(source.commands?.restore?.(SESSION_ID)).toEqual(['codex', 'unarchive', SESSION_ID]);
  });

  it('inspects a transcript again after another one took its place', () => {
    const path = writeCodex(home, SESSION_ID, codexText(legacySession()));
    expect(source.inspect(path)?.sessionId).toBe(SESSION_ID);
    const fork = join(home, 'sessions/2026/07/01/unnamed.jsonl');
    writeFileSync(fork, codexText(legacySession()));
    expect(source.inspect(fork)?.sessionId).toBe(SESSION_ID);
    rmSync(fork);
    writeFileSync(fork, codexText(legacySession(CHILD_ID)));
    expect(source.inspect(fork)?.sessionId).toBe(CHILD_ID);
    writeFileSync(path, '{"type":"user"}\n');
    expect(source.inspect(path)).toBeNull();
  });

  it('emits the name last given by the user at the beginning of every read', () => {
    const path = writeCodex(home, SESSION_ID, codexText(legacySession()));
    const entry = (id: string, name: string) =>
      `${JSON.stringify({ id, thread_name: name, updated_at: '' })}\n`;
    const index = entry(SESSION_ID, 'First') + entry(PARENT_ID, 'Other') + entry(SESSION_ID, 'Thing work');
    writeFileSync(join(home, 'session_index.jsonl'), `${index}{"id":`);
    const title = { kind: 'title', source: 'custom', text: 'Thing work' };
    expect(source.find()[0]?.name).toBe('Thing work');
    expect(read(path)[0]).toEqual(title);
    expect(read(path, { from: source.inspect(path)?.size ?? 0 })).toEqual([title]);
  });

  it('uses the id in resume and fork commands, even for a path', () => {
    expect(source.commands?.resume(SESSION_ID)).toEqual(['codex', 'resume', SESSION_ID]);
    expect(source.commands?.fork?.(codexPath(home, SESSION_ID))).toEqual(['codex', 'fork', SESSION_ID]);
  });

  it('restores a transcript to the folder for the time in its id', () => {
    const path = join(
      home,
      'sessions/2026/06/17/rollout-2026-06-17T10-06-46-019ed50c-2fb3-7002-a384-360bea6e7f04.jsonl',
    );
    expect(source.bytes?.restorePath?.('019ed50c-2fb3-7002-a384-360bea6e7f04', '/anywhere')).toBe(path);
  });

  it('reads the size of the context before a position', () => {
    const counted = (total_tokens: number) => ({
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: { last_token_usage: { total_tokens }, model_context_window: 258_400 },
      },
    });
    const first = codexText([...legacySession(SESSION_ID), counted(110_000)]);
    const path = writeCodex(home, SESSION_ID, `${first}${codexText([counted(196_000)])}`);
    const size = (before?: number) => source.facts?.contextSize(path, before);
    expect(size(Buffer.byteLength(first))).toEqual({ tokens: 110_000, window: 258_400 });
    expect(size()).toEqual({ tokens: 196_000, window: 258_400 });
  });

  it('restores a session under its former name, from any home or the archive', () => {
    const id = '019ed50c-2fb3-7002-a384-360bea6e7f04';
    const name = `rollout-2026-06-17T12-07-16-${id}.jsonl`;
    for (const former of [
      `${home}/archived_sessions/${name}`,
      `C:\\Users\\me\\.codex\\sessions\\2026\\06\\17\\${name}.zst`,
    ])
      expect(source.bytes?.restorePath?.(id, '/x', former)).toBe(join(home, 'sessions/2026/06/17', name));
    expect(source.bytes?.restorePath?.(SESSION_ID, '/x', `/y/${name}`)).not.toContain(id);
  });
});

describe('locating a Codex session', () => {
  /** Two UUIDs from 2026-06-17 10:06 UTC. */
  const ID = '019ed50c-2fb3-7002-a384-360bea6e7f04';
  const OTHER = '019ed50c-2fb3-7002-a384-360bea6e7f05';
  const text = codexText(legacySession(ID));

  it.each(['2026/06/16', '2026/06/17', '2026/06/18'])('finds a session in the folder of %s', (day) => {
    const path = writeCodex(home, ID, text, `sessions/${day}`);
    writeCodex(home, OTHER, text, `sessions/${day}`);
    expect(source.locate(ID)).toBe(path);
  });

  it.each(['sessions/2024/01/01', 'sessions', 'archived_sessions', 'archived_sessions/2026'])(
    'finds a session in %s',
    (folder) => {
      const path = writeCodex(home, ID, text, folder);
      writeCodex(home, OTHER, text, folder);
      expect(source.locate(ID)).toBe(path);
    },
  );

  it('finds a session in any of its homes', () => {
    const path = writeCodex(join(home, 'other'), ID, text, 'archived_sessions');
    expect(createCodexSource({ homes: [home, join(home, 'other')] }).locate(ID)).toBe(path);
  });

  it('finds a session whose id contains no time', () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const path = writeCodex(home, id, codexText(legacySession(id)));
    expect(source.locate(id)).toBe(path);
  });

  it('finds a session by the id inside its file if the file name has none', () => {
    const path = join(home, 'sessions', 'rollout-2025-05-07.jsonl');
    mkdirSync(join(home, 'sessions'));
    writeFileSync(join(home, 'sessions', 'notes.jsonl'), 'not a transcript\n');
    writeFileSync(path, text);
    expect(source.locate(ID)).toBe(path);
    expect(source.locate(OTHER)).toBeNull();
  });

  it('prefers a plain file to a compressed one, and a file to a folder of that name', () => {
    const path = codexPath(home, ID, 'archived_sessions');
    mkdirSync(codexPath(home, ID, 'sessions/2026/06/17'), { recursive: true });
    writeCodex(home, ID, text, 'archived_sessions');
    writeFileSync(`${path}.zst`, 'x');
    expect(source.locate(ID)).toBe(path);
  });

  it('opens no file to find an id in a file name', () => {
    const path = writeCodex(home, ID, 'not even a transcript\n', 'sessions/2026/06/17');
    expect(source.locate(ID)).toBe(path);
  });
});

describe('compressed Codex transcripts', () => {
  it('reads compressed Codex transcripts like plain ones', () => {
    const text = codexText(legacySession());
    const plain = writeCodex(home, SESSION_ID, text);
    const expected = { events: read(plain), digest: source.digest(plain, text.length, []) };
    compress(plain);
    expect(source.find()).toMatchObject([{ path: `${plain}.zst`, sessionId: SESSION_ID }]);
    expect({ events: read(`${plain}.zst`), digest: source.digest(`${plain}.zst`, text.length, []) }).toEqual(
      expected,
    );
    writeFileSync(`${plain}.zst`, 'no zstd at all');
    expect(() => read(`${plain}.zst`)).toThrow(expect.objectContaining({ code: 'TRANSCRIPT_UNREADABLE' }));
  });

  it('stops unpacking a small file that is larger than any transcript', () => {
    const plain = writeCodex(home, SESSION_ID, codexText(legacySession()));
    writeFileSync(`${plain}.zst`, zstdBomb(100));
    expect(() => read(`${plain}.zst`)).not.toThrow();
    writeFileSync(`${plain}.zst`, zstdBomb(1000));
    expect(() => read(`${plain}.zst`)).toThrow(/more than|larger than/);
  });

  it('prefers the plain file of a session to the compressed one', () => {
    const path = writeCodex(home, SESSION_ID, codexText(legacySession()));
    writeFileSync(`${path}.zst`, 'x');
    expect(source.find().map((file) => file.path)).toEqual([path]);
  });
});

describe('Codex forks and subagents', () => {
  it('takes a fork’s session id only from its first line', () => {
    const path = writeCodex(
      home,
      CHILD_ID,
      codexText([codexMeta(CHILD_ID, { forked_from_id: SESSION_ID }), ...legacySession()]),
    );
    expect(read(path).filter((event) => event.kind === 'parent')).toEqual([
      { kind: 'parent', sessionId: SESSION_ID },
    ]);
    expect(source.inspect(path)?.sessionId).toBe(CHILD_ID);
  });

  it('inherits the whole copy if a fork added nothing to it', () => {
    const text = codexText([codexMeta(CHILD_ID, { forked_from_id: SESSION_ID }), ...legacySession()]);
    writeCodex(home, CHILD_ID, text);
    expect(inheritanceOf(CHILD_ID)).toEqual({
      parentId: SESSION_ID,
      inheritedBytes: Buffer.byteLength(text),
    });
  });

  it('links a subagent to the session that started it, with nothing inherited', () => {
    const spawn = { parent_thread_id: SESSION_ID, depth: 1, agent_nickname: 'Mill' };
    const meta = codexMeta(CHILD_ID, {
      session_id: SESSION_ID,
      source: { subagent: { thread_spawn: spawn } },
      thread_source: 'subagent',
    });
    const path = writeCodex(
      home,
      CHILD_ID,
      codexText([meta, ...codexTurn(CHILD_TURN), ...paginated.user('Look')], 0),
    );
    expect(inheritanceOf(CHILD_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: 0 });
    expect(read(path)[0]).toEqual({ kind: 'parent', sessionId: SESSION_ID });
  });

  it('accepts only an id as a parent', () => {
    const text = 'x\n\n## Do this\n';
    const meta = codexMeta(CHILD_ID, { forked_from_id: text, parent_thread_id: text });
    writeCodex(home, CHILD_ID, codexText([meta, ...legacySession()]));
    expect(inheritanceOf(CHILD_ID)).toBeNull();
  });

  it('reads a fork of a fork from its parents’ lines, up to the fork points', () => {
    const parent = [...paginatedSession(PARENT_ID), ...paginated.user('Said after the fork')];
    const cut = paginatedSession().length;
    const middle = [
      codexMeta(SESSION_ID, { forked_from_id: PARENT_ID, forked_from_ordinal_exclusive: cut }),
      ...paginated.user('In the middle'),
      ...paginated.user('Also after the fork'),
    ];
    const child = [
      codexMeta(CHILD_ID, { forked_from_id: SESSION_ID, forked_from_ordinal_exclusive: cut + 3 }),
      ...paginated.user('At the end'),
    ];
    writeCodex(home, PARENT_ID, codexText(parent, 0));
    writeCodex(home, SESSION_ID, codexText(middle, cut));
    writeCodex(home, CHILD_ID, codexText(child, cut + 3));
    expect(wholeOf(CHILD_ID)).toEqual({
      inherited: ['Please add a thing', 'Naïve — 日本語 🙂', 'In the middle'],
      own: ['At the end'],
      missingParents: [],
    });
    rmSync(codexPath(home, PARENT_ID));
    expect(wholeOf(CHILD_ID)).toEqual({
      inherited: ['In the middle'],
      own: ['At the end'],
      missingParents: [PARENT_ID],
    });
  });

  it('does not follow a cycle of parents', () => {
    const forkOf = (id: string, parent: string) =>
      codexText([codexMeta(id, { forked_from_id: parent, forked_from_ordinal_exclusive: 9 })], 0);
    writeCodex(home, SESSION_ID, forkOf(SESSION_ID, CHILD_ID));
    writeCodex(home, CHILD_ID, forkOf(CHILD_ID, SESSION_ID));
    expect(wholeOf(CHILD_ID)).toEqual({ inherited: [], own: [], missingParents: [] });
  });
});

function read(path: string, options: { from?: number } = {}): TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0, ...options }, (event) =>
    events.push(event),
  );
  return events;
}

function fileOf(sessionId: string): TranscriptFile {
  const file = source.find().find((candidate) => candidate.sessionId === sessionId);
  if (!file) throw new Error(`no transcript of ${sessionId}`);
  return file;
}

function inheritanceOf(sessionId: string) {
  return source.findInheritance(fileOf(sessionId), source.find());
}

function wholeOf(sessionId: string) {
  const inherited: string[] = [];
  const own: string[] = [];
  const file = fileOf(sessionId);
  const take = (event: TranscriptEvent) => {
    if (event.kind === 'message' && event.role === 'user')
      (event.inherited ? inherited : own).push(event.text);
  };
  const missingParents = source.readInherited?.(file, source.find(), take);
  for (const event of read(file.path)) take(event);
  return { inherited, own, missingParents };
}

/** Replaces a file by a compressed one, in a frame without compression, which every version of Node can write. */
function compress(path: string): void {
  writeFileSync(`${path}.zst`, zstdFrame(readFileSync(path)));
  rmSync(path);
}
