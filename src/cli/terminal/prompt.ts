import { SmartForkError } from '../../domain/errors.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Terminal } from './terminal.ts';

export interface ConfirmOptions {
  terminal: Terminal;
  /** What Enter means. */
  defaultYes: boolean;
}

/** Asks yes or no on stderr. Where nobody can be asked, and on Ctrl-C, the answer is no. */
export async function confirm(question: string, { terminal, defaultYes }: ConfirmOptions): Promise<boolean> {
  if (!terminal.interactive || !terminal.stdin) return false;
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

/** Asks for what must not be seen; stars stand for it. Only where someone can be asked. */
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
    throw new SmartForkError('USAGE', 'nothing was entered, and nothing was changed', {
      hint: 'Run it again.',
    });
  }
}

/** Whether a prompt was left by Ctrl-C, by a signal, or because its input ended. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof Error && CANCELLED.has(error.name);
}

const CANCELLED = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError']);
