import { sanitizeLine } from '../../domain/sanitize.ts';
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

/** Whether a prompt was left by Ctrl-C, by a signal, or because its input ended. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof Error && CANCELLED.has(error.name);
}

const CANCELLED = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError']);
