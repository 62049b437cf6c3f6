import type { Options, Ora } from 'ora';
import { duration } from '../../../domain/text/time-text.ts';
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
    const { default: ora } = await import('ora');
    if (!over) spinner = ora(oraOptions(text, terminal, started)).start();
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
const TELL_LENGTH_MS = 10_000;

function oraOptions(text: string, { stderr, errorLook }: Terminal, started: number): Options {
  return {
    stream: stderr,
    text,
    suffixText: () => {
      const waited = performance.now() - started;
      return waited < TELL_LENGTH_MS ? '' : `(${duration(Math.floor(waited / 1000) * 1000)})`;
    },
    spinner: errorLook.unicode ? 'dots' : 'line',
    color: errorLook.color > 0 ? 'cyan' : false,
    discardStdin: false,
  };
}
