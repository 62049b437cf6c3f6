import { spawn } from 'node:child_process';
import type { Env, Terminal } from './terminal.ts';

/**
 * Puts text on the clipboard: by the system's own program, else by the terminal (OSC 52), which also works over SSH.
 * @returns how it was done; null when there is neither.
 */
export async function copyText(
  text: string,
  terminal: Terminal,
  env: Env,
  platform: NodeJS.Platform,
): Promise<'program' | 'terminal' | null> {
  const remote = env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined;
  for (const [program = '', ...words] of remote ? [] : programsFor(env, platform)) {
    if (await feed(program, words, text)) return 'program';
  }
  if (terminal.stderr.isTTY !== true || env.TERM === 'dumb') return null;
  terminal.stderr.write(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`);
  return 'terminal';
}

function programsFor(env: Env, platform: NodeJS.Platform): string[][] {
  if (platform === 'darwin') return [['pbcopy']];
  if (platform === 'win32') return [['clip']];
  return [
    ...(env.WAYLAND_DISPLAY ? [['wl-copy']] : []),
    ...(env.DISPLAY
      ? [
          ['xclip', '-selection', 'clipboard'],
          ['xsel', '--clipboard', '--input'],
        ]
      : []),
  ];
}

/** Programs that hold the clipboard stay behind in the background: their end is not waited for. */
function feed(program: string, words: string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
    child.stdin.on('error', () => resolve(false));
    child.stdin.end(text);
  });
}
