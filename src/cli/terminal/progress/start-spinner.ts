import ora, { type Options, type Ora } from 'ora';
import { duration } from '../../../domain/text/time-text.ts';
import type { Terminal } from '../terminal.ts';

/** Shows a spinner on stderr, and after ten seconds how long it has been since `started`. */
export function startSpinner(text: string, terminal: Terminal, started: number): Ora {
  return ora(optionsFor(text, terminal, started)).start();
}

const TELL_LENGTH_MS = 10_000;

function optionsFor(text: string, { stderr, errorLook }: Terminal, started: number): Options {
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
