import { PassThrough, Writable } from 'node:stream';
import { createTerminal, type Env, type Terminal } from '../../src/cli/terminal/terminal.ts';

/** A stream that records writes, with the properties of a terminal if given. */
export class FakeStream extends Writable {
  text = '';
  writes: string[] = [];
  isTTY: boolean;
  columns: number;
  rows = 24;

  constructor({ isTTY = true, columns = 80 }: { isTTY?: boolean; columns?: number } = {}) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.text += chunk;
    this.writes.push(chunk);
    done();
  }

  // Terminal methods called by ora and inquirer.
  cursorTo(): boolean {
    return this.write('\x1b[G');
  }
  clearLine(): boolean {
    return this.write('\x1b[K');
  }
  moveCursor(): boolean {
    return this.write('\x1b[A');
  }
}

export interface FakeTerminal extends Terminal {
  stdoutStream: FakeStream;
  stderrStream: FakeStream;
  stdinStream: PassThrough & { isTTY?: boolean };
}

export function fakeTerminal(
  options: { isTTY?: boolean; columns?: number; env?: Env; platform?: NodeJS.Platform } = {},
): FakeTerminal {
  const stdoutStream = new FakeStream(options);
  const stderrStream = new FakeStream(options);
  const stdinStream: PassThrough & { isTTY?: boolean } = new PassThrough();
  stdinStream.isTTY = options.isTTY ?? true;
  const terminal = createTerminal({
    stdout: stdoutStream,
    stderr: stderrStream,
    stdin: stdinStream,
    env: options.env ?? { LANG: 'en_US.UTF-8', NO_COLOR: '1' },
    platform: options.platform ?? 'linux',
  });
  return Object.assign(terminal, { stdoutStream, stderrStream, stdinStream });
}

/** The screen of a terminal after all writes; supports \r, \x1b[J, \x1b[nA and wrapping. */
export function screenOf(written: string, columns: number): string[] {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  for (const token of written.match(/\x1b\[\d*[A-Z]|[\s\S]/gu) ?? []) {
    if (token === '\r') column = 0;
    else if (token === '\n') {
      row += 1;
      column = 0;
    } else if (token === '\x1b[J') {
      rows.length = row + 1;
      rows[row] = (rows[row] ?? []).slice(0, column);
    } else if (token.startsWith('\x1b[')) row = Math.max(0, row - Number(token.slice(2, -1) || 1));
    else {
      if (column >= columns) {
        row += 1;
        column = 0;
      }
      const line = rows[row] ?? [];
      line[column] = token;
      rows[row] = line;
      column += 1;
    }
    rows[row] ??= [];
  }
  return rows.map((line) =>
    Array.from(line, (cell) => cell ?? ' ')
      .join('')
      .trimEnd(),
  );
}
