import { execFileSync, spawnSync } from 'node:child_process';

/** A real terminal for programs, run by tmux. */
export interface RealTerminal {
  /** Keys as tmux names them (`Enter`, `C-c`), or text. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  screen(): string;
  /** The screen with its colour sequences. */
  colours(): string;
  /** Waits until the screen shows this; returns the screen. */
  waitFor(text: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  resize(columns: number, rows: number): void;
  close(): void;
}

export const hasTmux = process.platform !== 'win32' && spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.warn('skipped: tmux is not here, so nothing is driven in a real terminal');

const PATIENCE_MS = 40_000;
const STEP_MS = 60;

export function openTerminal(options: {
  name: string;
  columns: number;
  rows: number;
  env: Record<string, string>;
}): RealTerminal {
  const { name, columns, rows, env } = options;
  // A window gets its PATH from the tmux process that opens it.
  const all = { ...process.env, PS1: '$ ', SHELL: '/bin/sh', ...env };
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-L', name, '-f', '/dev/null', ...words], { encoding: 'utf8', env: all });
  const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), ...variables, '/bin/sh');
  tmux('set-option', '-g', 'escape-time', '0');
  const screen = () => tmux('capture-pane', '-p');
  const waitUntil = async (holds: (now: string) => boolean, what: string | RegExp) => {
    for (const started = Date.now(); ; await pause(STEP_MS)) {
      const now = screen();
      if (holds(now)) return now;
      if (Date.now() - started > PATIENCE_MS) throw new Error(`no ${what} on the screen:\n${now}`);
    }
  };
  return {
    async press(...keys) {
      for (const key of keys) {
        const before = screen();
        tmux('send-keys', key);
        await pause(STEP_MS);
        // Sent together with the next key, it would be read as a different key.
        if (key === 'Escape') await waitUntil((now) => now !== before, 'answer to Escape');
      }
    },
    async type(text) {
      tmux('send-keys', '-l', text);
      await pause(STEP_MS);
    },
    screen,
    colours: () => tmux('capture-pane', '-p', '-e'),
    waitFor(text) {
      if (typeof text === 'function') return waitUntil(text, 'such thing');
      return waitUntil((now) => (typeof text === 'string' ? now.includes(text) : text.test(now)), text);
    },
    resize: (width, height) => {
      tmux('resize-window', '-x', String(width), '-y', String(height));
    },
    close: () => {
      spawnSync('tmux', ['-L', name, 'kill-server']);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
