import { createRequire } from 'node:module';
import type { Look } from './ink.ts';
import { isReaderGone } from './print.ts';
import type { ColorLevel } from './style.ts';

export type Env = Record<string, string | undefined>;
export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number; rows?: number };
export type InputStream = NodeJS.ReadableStream & { isTTY?: boolean };

interface TerminalOptions {
  stdout: OutputStream;
  stderr: OutputStream;
  stdin?: InputStream;
  env: Env;
  platform: NodeJS.Platform;
  /** Called when a write fails, except when the reader has closed the pipe. Default: throw. */
  onWriteError?: (error: Error) => void;
}

/** A command's terminal. As a `Look` it describes stdout; `errorLook` describes stderr. */
export interface Terminal extends Look {
  readonly isTTY: boolean;
  readonly rows: number;
  readonly errorLook: Look;
  readonly stdin: InputStream | undefined;
  readonly stderr: OutputStream;
  /** Whether stdin and stderr are terminals, so that a prompt works. */
  readonly interactive: boolean;
  /** Whether the reader of stdout is gone (`| head`), which makes further output pointless. */
  readonly closed: boolean;
  /** Prints to stdout and adds a missing newline. */
  out(text: string): void;
  /** Prints to stderr and adds a missing newline. */
  err(text: string): void;
}

export function createTerminal(options: TerminalOptions): Terminal {
  const { stdout, stderr, stdin, env } = options;
  const unicode = speaksUnicode(env, options.platform);
  const out = quietWriter(stdout, options.onWriteError);
  const err = quietWriter(stderr, options.onWriteError);
  return {
    ...fixedLook(stdout, env, unicode),
    get columns() {
      return columnsOf(stdout, env);
    },
    errorLook: {
      ...fixedLook(stderr, env, unicode),
      get columns() {
        return columnsOf(stderr, env);
      },
    },
    isTTY: stdout.isTTY === true,
    get rows() {
      return stdout.rows || 24;
    },
    stdin,
    stderr,
    interactive: stdin?.isTTY === true && stderr.isTTY === true,
    get closed() {
      return out.closed();
    },
    out: out.write,
    err: err.write,
  };
}

/** The Linux console lacks glyphs for most symbols; the old Windows console has its own code page. */
function speaksUnicode(env: Env, platform: NodeJS.Platform): boolean {
  const term = env.TERM ?? '';
  if (term === 'dumb' || term === 'linux') return false;
  if (platform === 'win32') {
    const modern = env.WT_SESSION ?? env.ConEmuTask ?? env.TERMINUS_SUBLIME ?? env.TERM_PROGRAM;
    return (
      Boolean(modern) || env.TERMINAL_EMULATOR === 'JetBrains-JediTerm' || /^(xterm|alacritty)/.test(term)
    );
  }
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  // Containers and services often set no locale, although their terminal is UTF-8.
  return !locale || /utf-?8/i.test(locale);
}

function quietWriter(stream: OutputStream, onWriteError: TerminalOptions['onWriteError']) {
  let gone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Reporting the error could fail in the same way, again and again.
    if (gone || isReaderGone(error)) {
      gone = true;
      return;
    }
    gone = true;
    if (!onWriteError) throw error;
    onWriteError(error);
  });
  return {
    closed: () => gone,
    write(text: string): void {
      if (!gone) stream.write(visible(text.endsWith('\n') ? text : `${text}\n`));
    },
  };
}

/**
 * Writes everything that would act on the terminal, except colours, as JSON escapes. Text from elsewhere is sanitized before it gets
 * here; C1 controls in JSON are not, and some terminals obey them.
 */
export function visible(text: string): string {
  return text.replace(ACTING, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const ACTING =
  /\x1b(?!\[[\d;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function fixedLook(stream: OutputStream, env: Env, unicode: boolean) {
  return { color: colorLevel(stream, env), unicode };
}

/** FORCE_COLOR overrides NO_COLOR, as in Node. */
function colorLevel(stream: OutputStream, env: Env): ColorLevel {
  const forced = env.FORCE_COLOR !== undefined;
  if (!forced && (env.NO_COLOR || stream.isTTY !== true)) return 0;
  // Loading node:tty costs more than printing, and a pipe does not need it.
  const { WriteStream } = createRequire(import.meta.url)('node:tty') as typeof import('node:tty');
  // NO_COLOR next to FORCE_COLOR makes Node print a warning.
  const depth = WriteStream.prototype.getColorDepth({ ...env, NO_COLOR: undefined });
  if (depth >= 24) return 3;
  if (depth >= 8) return 2;
  return depth >= 4 ? 1 : 0;
}

/** Wide enough for whole lines, because the reader of a pipe can truncate them. */
const COLUMNS_OF_PIPE = 10_000;

function columnsOf(stream: OutputStream, env: Env): number {
  const known = stream.columns || Number.parseInt(env.COLUMNS ?? '', 10);
  return known || (stream.isTTY === true ? 80 : COLUMNS_OF_PIPE);
}
