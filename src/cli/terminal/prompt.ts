import { SmartForkError } from '../../domain/errors.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Terminal } from './terminal.ts';

export interface ConfirmOptions {
  terminal: Terminal;
  /** The answer for Enter. */
  defaultYes: boolean;
  /** The error's hint without a terminal. */
  hint?: string;
}

/**
 * Asks a yes/no question on stderr. Ctrl-C answers no.
 * @throws SmartForkError USAGE without a terminal
 */
export async function confirm(
  question: string,
  { terminal, defaultYes, hint = 'Run the command in a terminal.' }: ConfirmOptions,
): Promise<boolean> {
  if (!terminal.interactive || !terminal.stdin)
    throw new SmartForkError('USAGE', 'cannot ask for confirmation: not a terminal', { hint });
  const { default: ask } = await import('@inquirer/confirm');
  try {
    return await ask(
      { message: sanitizeLine(question), default: defaultYes },
      { input: terminal.stdin, output: terminal.stderr },
    );
  } catch (error) {
    if (wasCancelled(error)) return false;
    throw error;
  }
}

/** Asks for a secret and echoes asterisks. Needs a terminal. */
export async function askSecret(
  question: string,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<string> {
  const { default: ask } = await import('@inquirer/password');
  try {
    return await ask(
      { message: question, mask: '*' },
      { output: terminal.stderr, signal, ...(terminal.stdin && { input: terminal.stdin }) },
    );
  } catch (error) {
    if (!wasCancelled(error)) throw error;
    throw new SmartForkError('USAGE', 'nothing entered, nothing changed', {
      hint: 'Run it again.',
    });
  }
}

/** Whether a prompt ended by Ctrl-C, by a signal or by the end of its input. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof Error && CANCELLED.has(error.name);
}

const CANCELLED = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError']);
