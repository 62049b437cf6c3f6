import { spawn } from 'node:child_process';
import type { TerminalName } from '../../domain/machine/terminals.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { LaunchResult, TerminalLauncher } from '../../ports/machine.ts';
import { terminalCommand } from './terminal-command.ts';

/** A terminal program still running after this time has opened its window. */
const OPENED_AFTER_MS = 1500;
const LONGEST_ID = 100;

export function createTerminalLauncher(
  terminal: TerminalName,
  env: Record<string, string | undefined>,
  find: (program: string) => string | null,
): TerminalLauncher {
  return {
    launch: async (command, title) => {
      const [name = terminal, ...args] = terminalCommand(terminal, command, plain(title), env.SHELL ?? 'sh');
      const program = find(name);
      return program === null
        ? { failed: `cannot start ${name}: it is not on PATH` }
        : start(terminal, program, args, env);
    },
  };
}

/** A title without characters that a terminal would interpret: tmux expands `#(command)`, Windows Terminal splits at semicolons. */
function plain(title: string): string {
  return sanitizeLine(title).replace(/[#;%]/g, '') || 'fork';
}

function start(
  terminal: TerminalName,
  program: string,
  args: string[],
  env: Record<string, string | undefined>,
): Promise<LaunchResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part) => {
      stdout += part;
    });
    child.stderr.on('data', (part) => {
      stderr += part;
    });
    const opened = () => {
      const id = stdout.trim().split('\n')[0]?.slice(0, LONGEST_ID) ?? '';
      resolve({ terminalId: id === '' ? terminal : `${terminal}:${id}` });
    };
    const timer = setTimeout(() => {
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      opened();
    }, OPENED_AFTER_MS);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ failed: `cannot start ${program}: ${error.message}` });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) opened();
      else resolve({ failed: `${program} failed: ${stderr.trim() || `exit code ${code}`}` });
    });
  });
}
