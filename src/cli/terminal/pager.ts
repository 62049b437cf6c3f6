import { type ChildProcess, spawn } from 'node:child_process';
import { environmentForTools } from '../../config/environment.ts';
import { type Env, type Terminal, visible } from './terminal.ts';
import { displayWidth } from './width.ts';

/** Shows long text in the user's pager. Prints short text, and any text if there is no terminal or pager. */
export async function page(text: string, terminal: Terminal, env: Env): Promise<void> {
  return pageAsItComes([text], terminal, env);
}

/** The same for text that arrives in parts of whole lines. The first screen is shown before the last part arrives. */
export async function pageAsItComes(
  parts: AsyncIterable<string> | Iterable<string>,
  terminal: Terminal,
  env: Env,
): Promise<void> {
  const command = env.SMART_FORK_PAGER ?? env.PAGER;
  let direct = !terminal.isTTY || command === '' || command === 'cat';
  const shown: string[] = [];
  let pager: Shown | null = null;
  try {
    for await (const part of parts) {
      if (terminal.closed) return;
      if (direct) {
        terminal.out(part);
        // Otherwise the end of the reader would be noticed only at the end of the text.
        await new Promise((resolve) => setImmediate(resolve));
        continue;
      }
      shown.push(part);
      if (pager === null && fits(shown.join('\n'), terminal)) continue;
      const more: string = pager === null ? shown.join('\n') : part;
      pager ??= showIn(startPager(command, env));
      await pager.write(visible(more));
      if (!pager.isOver()) continue;
      if (await pager.end()) return;
      direct = true;
      terminal.out(shown.join('\n'));
    }
  } catch (error) {
    await pager?.end();
    throw error;
  }
  if (!direct && !(await pager?.end())) terminal.out(shown.join('\n'));
}

const NOT_RUN = new Set([126, 127, 9009]);
const LESS_FLAGS = 'FRX';

function fits(text: string, terminal: Terminal): boolean {
  let rows = 0;
  for (const line of text.split('\n')) {
    rows += Math.max(1, Math.ceil(displayWidth(line) / terminal.columns));
    if (rows >= terminal.rows) return false;
  }
  return true;
}

/** Runs the user's pager command in a shell, as other tools do. The text is passed only on stdin. */
function startPager(command: string | undefined, given: Env): ChildProcess {
  const stdio: ['pipe', 'inherit', 'inherit'] = ['pipe', 'inherit', 'inherit'];
  const env = environmentForTools(given);
  if (command === undefined) return spawn('less', [`-${LESS_FLAGS}`], { stdio, env });
  return spawn(command, { shell: true, stdio, env: { LESS: LESS_FLAGS, LV: '-c', ...env } });
}

interface Shown {
  /** Waits until the pager accepts more text, or has ended. */
  write(text: string): Promise<void>;
  isOver(): boolean;
  /** Whether the pager ran. The user may quit before the end of the text. */
  end(): Promise<boolean>;
}

function showIn(pager: ChildProcess): Shown {
  // Ctrl-C belongs to the pager. Exiting first would leave the terminal in the pager's mode.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  let over = false;
  const ran = new Promise<boolean>((resolve) => {
    pager.on('error', () => resolve(false));
    pager.on('close', (code) => resolve(code === null || !NOT_RUN.has(code)));
  }).finally(() => {
    over = true;
    process.off('SIGINT', ignore);
  });
  const { stdin } = pager;
  stdin?.on('error', ignore);
  return {
    async write(text) {
      if (over || stdin === null || stdin.destroyed) return;
      if (stdin.write(text.endsWith('\n') ? text : `${text}\n`)) return;
      await Promise.race([ran, new Promise((resolve) => stdin.once('drain', resolve))]);
    },
    isOver: () => over || stdin === null || stdin.destroyed,
    end() {
      stdin?.end();
      return ran;
    },
  };
}
