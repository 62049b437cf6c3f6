import { type ChildProcess, spawn } from 'node:child_process';
import { environmentForTools } from '../../config/environment.ts';
import { type Env, type Terminal, visible } from './terminal.ts';
import { displayWidth } from './width.ts';

/** Shows long text in the user's pager. Prints short text, and any text without a terminal or pager. */
export async function page(text: string, terminal: Terminal, env: Env): Promise<void> {
  const command = env.SMART_FORK_PAGER ?? env.PAGER;
  const wanted = terminal.isTTY && command !== '' && command !== 'cat' && !fits(text, terminal);
  if (!wanted || !(await showIn(startPager(command, env), visible(text)))) terminal.out(text);
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

/** Runs the user's pager command in the shell, as other tools do. It gets the text on stdin only. */
function startPager(command: string | undefined, given: Env): ChildProcess {
  const stdio: ['pipe', 'inherit', 'inherit'] = ['pipe', 'inherit', 'inherit'];
  const env = environmentForTools(given, process.cwd());
  if (command === undefined) return spawn('less', [`-${LESS_FLAGS}`], { stdio, env });
  return spawn(command, { shell: true, stdio, env: { LESS: LESS_FLAGS, LV: '-c', ...env } });
}

/** Whether the pager ran. The reader may quit before the end of the text. */
function showIn(pager: ChildProcess, text: string): Promise<boolean> {
  // Ctrl-C belongs to the pager. Exiting first would leave the terminal in the pager's mode.
  const ignore = () => undefined;
  process.on('SIGINT', ignore);
  return new Promise<boolean>((resolve) => {
    pager.on('error', () => resolve(false));
    pager.on('close', (code) => resolve(code === null || !NOT_RUN.has(code)));
    pager.stdin?.on('error', ignore);
    pager.stdin?.end(text.endsWith('\n') ? text : `${text}\n`);
  }).finally(() => process.off('SIGINT', ignore));
}
