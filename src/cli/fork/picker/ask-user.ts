import { createInterface } from 'node:readline';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { wasCancelled } from '../../terminal/prompt.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { truncate } from '../../terminal/width.ts';
import { askLine } from './plain-picker.ts';

export interface Asking {
  terminal: Terminal;
  signal: AbortSignal;
  /** The terminal can only print lines. */
  plain: boolean;
}

/** How long a lone Esc waits for the rest of a key's sequence, in milliseconds. */
const ESCAPE_MS = 50;

/**
 * Makes Esc act at once instead of after half a second. Node fixes the delay when it first reads keys from a stream, so this
 * must be called before the first prompt.
 */
export function quickenEscape({ stdin, stderr }: Terminal): void {
  if (stdin?.isTTY !== true) return;
  createInterface({
    input: stdin,
    output: stderr,
    terminal: true,
    escapeCodeTimeout: ESCAPE_MS,
  }).close();
}

/** Asks for a line of text; null if the user enters none. */
export async function ask(question: string, { terminal, signal, plain }: Asking): Promise<string | null> {
  if (plain || !terminal.stdin) return (await askLine(terminal, `${question} `, signal))?.trim() || null;
  const { input } = await import('../../terminal/inquirer.ts');
  try {
    const answer = await input(
      { message: question },
      { input: terminal.stdin, output: terminal.stderr, signal },
    );
    return answer.trim() || null;
  } catch (error) {
    if (wasCancelled(error)) return null;
    throw error;
  }
}

export interface Choice<T> {
  value: T;
  name: string;
}

/** Asks the user to pick one of several choices, the first by default; null if cancelled. */
export async function choose<T>(question: string, choices: Choice<T>[], asking: Asking): Promise<T | null> {
  const { terminal, signal, plain } = asking;
  if (plain || !terminal.stdin) return choosePlainly(question, choices, asking);
  const { select } = await import('../../terminal/inquirer.ts');
  const room = terminal.errorLook.columns - 6;
  const shown = choices.map(({ name }, value) => ({
    value,
    name: truncate(sanitizeLine(name), room, '...'),
  }));
  const cancelling = new AbortController();
  const onKey = (_: unknown, key?: { name?: string }) => key?.name === 'escape' && cancelling.abort();
  terminal.stdin.on('keypress', onKey);
  const input = terminal.stdin;
  try {
    const place = await select(
      { message: question, choices: shown, loop: false, theme: { prefix: '' } },
      {
        input,
        output: terminal.stderr,
        clearPromptOnDone: true,
        signal: AbortSignal.any([signal, cancelling.signal]),
      },
    );
    return choices[place]?.value ?? null;
  } catch (error) {
    if (wasCancelled(error)) return null;
    throw error;
  } finally {
    input.off('keypress', onKey);
  }
}

async function choosePlainly<T>(question: string, choices: Choice<T>[], asking: Asking): Promise<T | null> {
  const list = choices.map(({ name }, place) => `${place + 1}. ${sanitizeLine(name)}`);
  asking.terminal.err([question, ...list].join('\n'));
  const answer = await ask(`Which one (1 to ${choices.length}, empty for none)?`, asking);
  return choices[Number(answer ?? Number.NaN) - 1]?.value ?? null;
}
