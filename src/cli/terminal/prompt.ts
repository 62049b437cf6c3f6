import { SmartForkError } from '../../domain/errors.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Terminal } from './terminal.ts';

interface ConfirmOptions {
  terminal: Terminal;
  /** The answer for Enter. */
  defaultYes: boolean;
  /** Hint of the error that is thrown without a terminal. */
  hint?: string;
  /** Prints more details; the question is then asked again. */
  showMore?: () => void;
}

/**
 * Asks a yes/no question on stderr. Ctrl-C and SIGTERM answer no.
 * @throws SmartForkError USAGE without a terminal
 */
export async function confirm(
  question: string,
  { terminal, defaultYes, hint = 'Run the command in a terminal.', showMore }: ConfirmOptions,
): Promise<boolean> {
  if (!terminal.interactive || !terminal.stdin)
    throw new SmartForkError('USAGE', 'cannot ask for confirmation: not a terminal', { hint });
  const message = sanitizeLine(question);
  const ending = new AbortController();
  const end = () => ending.abort();
  process.on('SIGTERM', end);
  const context = { input: terminal.stdin, output: terminal.stderr, signal: ending.signal };
  try {
    if (showMore !== undefined) return await confirmOrShow(message, defaultYes, showMore, context);
    const { confirm: ask } = await import('./inquirer.ts');
    return await ask({ message, default: defaultYes }, context);
  } catch (error) {
    if (wasCancelled(error)) return false;
    throw error;
  } finally {
    process.off('SIGTERM', end);
  }
}

async function confirmOrShow(
  question: string,
  defaultYes: boolean,
  showMore: () => void,
  context: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal: AbortSignal },
): Promise<boolean> {
  const { input: ask } = await import('./inquirer.ts');
  const message = `${question} (${defaultYes ? 'Y/n' : 'y/N'}, or d for every line)`;
  const settings = {
    message,
    validate: (text: string) => /^(?:y|yes|n|no|d|)$/i.test(text.trim()) || 'Type y, n or d.',
    transformer: (text: string, { isFinal }: { isFinal: boolean }) =>
      isFinal ? spelled(text, defaultYes) : text,
  };
  for (;;) {
    const answer = spelled(await ask(settings, context), defaultYes);
    if (answer !== 'Every line') return answer === 'Yes';
    showMore();
  }
}

function spelled(text: string, defaultYes: boolean): 'Yes' | 'No' | 'Every line' {
  const letter = text.trim().toLowerCase()[0] ?? (defaultYes ? 'y' : 'n');
  return letter === 'd' ? 'Every line' : letter === 'y' ? 'Yes' : 'No';
}

/** Asks for a secret and echoes asterisks. Needs a terminal. */
export async function askSecret(
  question: string,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<string> {
  const { password: ask } = await import('./inquirer.ts');
  try {
    return await ask(
      { message: question, mask: '*' },
      { output: terminal.stderr, signal, input: terminal.stdin },
    );
  } catch (error) {
    if (!wasCancelled(error)) throw error;
    throw new SmartForkError('USAGE', 'nothing entered, nothing changed', {
      hint: 'Run it again.',
    });
  }
}

/** Whether a prompt was ended by Ctrl-C, by a signal, or by the end of its input. */
export function wasCancelled(error: unknown): boolean {
  return error instanceof Error && CANCELLED.has(error.name);
}

const CANCELLED = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError']);
