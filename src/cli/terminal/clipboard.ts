import { spawn } from 'node:child_process';
import { pathOfProgram } from '../../compose/programs.ts';
import { environmentForTools } from '../../config/environment.ts';
import type { Env, Terminal } from './terminal.ts';

/**
 * Copies text to the clipboard with the system's program, or through the terminal (OSC 52), which works over SSH.
 * @returns how it was copied; null if that failed.
 */
export async function copyText(
  text: string,
  terminal: Terminal,
  env: Env,
  platform: NodeJS.Platform,
): Promise<'program' | 'terminal' | null> {
  const remote = env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined;
  for (const [program = '', ...words] of remote ? [] : programsFor(env, platform)) {
    const path = pathOfProgram(program, env);
    if (path !== null && (await feed(path, words, { text, env: environmentForTools(env) }))) return 'program';
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

/** Doesn't wait for the program to exit: some keep running in the background. */
function feed(program: string, words: string[], { text, env }: { text: string; env: Env }): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { env, stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', () => resolve(false));
    child.on('close', (code) => resolve(code === 0));
    child.stdin.on('error', () => resolve(false));
    child.stdin.end(text);
  });
}
