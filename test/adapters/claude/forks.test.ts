import { describe, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import type { Inheritance } from '../../../src/ports/transcript-source.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  type ClaudeLine,
  copyLines,
  FORK_ID,
  FORK_STYLES,
  type ForkStyle,
  GRANDCHILD_ID,
  jsonl,
  line,
  SESSION_ID,
  sampleLines,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

const A = stampLines(sampleLines());

describe.each(FORK_STYLES)('a fork of the style "%s"', (style) => {
  it('is told with its parent and the bytes it copied', () => {
    const home = tempFolder('forks');
    writeClaude(home, SESSION_ID, A);
    const copied = copyLines(A, style, { sessionId: FORK_ID });
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, A.length)]);
    expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('is told when its origin went on afterwards', () => {
    const home = tempFolder('forks');
    const later = stampLines([line.user('Back here'), line.assistant('Yes.')], { after: 500 });
    writeClaude(home, SESSION_ID, [...A, ...later]);
    const copied = copyLines(A, style, { sessionId: FORK_ID });
    // Of plain copies that both went on, the one that went on first is taken for the origin.
    const after = style === 'copied' ? 900 : A.length;
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, after)]);
    expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('is told when metadata lines stand before and between what it copied', () => {
    const home = tempFolder('forks');
    writeClaude(home, SESSION_ID, A);
    const meta: ClaudeLine[] = [{ type: 'custom-title', customTitle: 'x', sessionId: FORK_ID }];
    const copied = [...meta, ...copyLines(A.slice(0, 4), style, { sessionId: FORK_ID }), ...meta];
    const more = copyLines(A.slice(4), style, { sessionId: FORK_ID });
    writeClaude(home, FORK_ID, [...copied, ...more, ...own(FORK_ID, A.length)]);
    expect(inheritance(home, FORK_ID)).toMatchObject({ inheritedBytes: copiedBytes([...copied, ...more]) });
  });

  it('is told in a chain: the parent is the session it was forked from, not the first', () => {
    const home = tempFolder('forks');
    const b = [...copyLines(A, style, { sessionId: FORK_ID }), ...own(FORK_ID, A.length)];
    const copied = copyLines(b, style, { sessionId: GRANDCHILD_ID });
    const c = [...copied, ...own(GRANDCHILD_ID, b.length)];
    writeClaude(home, SESSION_ID, A);
    writeClaude(home, FORK_ID, b);
    writeClaude(home, GRANDCHILD_ID, c);
    expect(inheritance(home, GRANDCHILD_ID)).toEqual({
      parentId: FORK_ID,
      inheritedBytes: copiedBytes(copied),
    });
    expect(inheritance(home, FORK_ID)?.parentId).toBe(SESSION_ID);
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('is told behind a first message of 2 MB', () => {
    const home = tempFolder('forks');
    const image = { type: 'image', source: { type: 'base64', data: 'iVBO'.repeat(500_000) } };
    const first = stampLines([line.user([image, { type: 'text', text: 'Look' }]), line.assistant('I see.')]);
    const copied = copyLines(first, style, { sessionId: FORK_ID });
    writeClaude(home, SESSION_ID, first);
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, 2)]);
    expect(inheritance(home, FORK_ID)).toEqual({ parentId: SESSION_ID, inheritedBytes: copiedBytes(copied) });
  });
});

describe('a fork', () => {
  it('is told by its marks when its origin is not here', () => {
    for (const style of ['requestSessionId', 'branch', 'sdk'] as ForkStyle[]) {
      const home = tempFolder('forks');
      writeClaude(home, FORK_ID, [...copyLines(A, style, { sessionId: FORK_ID }), ...own(FORK_ID, A.length)]);
      expect(inheritance(home, FORK_ID)?.parentId).toBe(SESSION_ID);
    }
  });

  it('includes copied lines behind the last copied answer', () => {
    const home = tempFolder('forks');
    const origin = stampLines([
      line.user('a'),
      line.assistant('b'),
      line.user('[Request interrupted by user]'),
      line.user('c'),
    ]);
    const copied = copyLines(origin, 'requestSessionId', { sessionId: FORK_ID });
    writeClaude(home, SESSION_ID, origin);
    writeClaude(home, FORK_ID, [...copied, ...own(FORK_ID, 4)]);
    expect(inheritance(home, FORK_ID)?.inheritedBytes).toBe(copiedBytes(copied));
  });

  it('is not seen in marks that a message quotes', () => {
    const home = tempFolder('forks');
    const quoted =
      '{"requestSessionId":"99999999-9999-4999-8999-999999999999","forkedFrom":{"sessionId":"x"}}';
    writeClaude(home, SESSION_ID, stampLines([line.user(quoted), line.assistant(quoted)]));
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });

  it('is not seen in a copy of the whole file under another name, nor in its own id', () => {
    const home = tempFolder('forks');
    writeClaude(home, SESSION_ID, A);
    writeClaude(home, FORK_ID, A);
    expect(inheritance(home, FORK_ID)).toBeNull();
    expect(inheritance(home, SESSION_ID)).toBeNull();
  });
});

function own(sessionId: string, after: number): ClaudeLine[] {
  const cwd = '/home/dev/elsewhere';
  return stampLines([line.user(`Own words of ${sessionId}`), line.assistant('Own answer.')], {
    sessionId,
    after,
    cwd,
  });
}

/** Without the line feed of the last line. */
function copiedBytes(lines: ClaudeLine[]): number {
  return Buffer.byteLength(jsonl(lines)) - 1;
}

function inheritance(home: string, sessionId: string): Inheritance | null {
  const source = createClaudeSource({ homes: [home] });
  const files = source.find();
  const file = files.find((one) => one.sessionId === sessionId);
  if (file === undefined) throw new Error(`no ${sessionId}`);
  const { fingerprint } = source.head(file);
  return source.findInheritance(
    file,
    files.filter((other) => source.head(other).fingerprint === fingerprint),
  );
}
