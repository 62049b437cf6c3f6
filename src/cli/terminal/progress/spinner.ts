import type { Ora } from 'ora';
import type { Terminal } from '../terminal.ts';

interface WaitOptions {
  terminal: Terminal;
  /** The activity: "Searching". */
  text: string;
  /** Replaces `text` after three seconds; says why it takes so long. */
  slowText?: string;
}

/** Awaits a promise. On a terminal, shows a spinner on stderr after one second and the elapsed time after ten. */
export async function waitFor<T>(
  work: Promise<T>,
  { terminal, text, slowText = text }: WaitOptions,
): Promise<T> {
  if (!terminal.stderr.isTTY) return work;
  const started = performance.now();
  let spinner: Ora | undefined;
  let over = false;
  const timer = setTimeout(async () => {
    const { startSpinner } = await import('./start-spinner.ts');
    if (!over) spinner = startSpinner(text, terminal, started);
  }, PATIENCE_MS);
  const slow = setTimeout(() => {
    if (spinner) spinner.text = slowText;
  }, SLOW_MS);
  try {
    return await work;
  } finally {
    over = true;
    clearTimeout(timer);
    clearTimeout(slow);
    spinner?.stop();
  }
}

const PATIENCE_MS = 1000;
const SLOW_MS = 3000;
