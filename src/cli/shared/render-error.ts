import { errorText, SmartForkError } from '../../domain/errors.ts';
import { sanitize } from '../../domain/text/sanitize.ts';
import { createInk, type Ink, type Look } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** "error: what failed" and "hint: what to do"; the stack trace and causes only with `debug`. */
export function renderError(error: unknown, look: Look, options: { debug?: boolean } = {}): string {
  const ink = createInk(look);
  const lines = labelled('error', errorText(error) || 'unknown error', ink.style.bad, ink);
  const hint = hintOf(error, options.debug === true);
  if (hint) lines.push(...labelled('hint', hint, ink.style.accent, ink));
  if (options.debug) lines.push(...stackLines(error, ink));
  return lines.join('\n');
}

/** A SmartForkError has its own hint; any other error is a bug in smart-fork. */
function hintOf(error: unknown, debug: boolean): string | undefined {
  if (error instanceof SmartForkError) return error.hint;
  return debug ? undefined : 'this is a bug in smart-fork; run the command with --debug to see where';
}

function labelled(label: string, text: string, paint: (text: string) => string, ink: Ink): string[] {
  const indent = label.length + 2;
  return wrap(sanitize(text).trim(), ink.columns - indent).map((line, i) =>
    i === 0 ? `${paint(`${label}:`)} ${line}` : ' '.repeat(line === '' ? 0 : indent) + line,
  );
}

function stackLines(error: unknown, ink: Ink): string[] {
  const lines: string[] = [];
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const stack = sanitize(at.stack ?? at.message);
    lines.push(...(lines.length === 0 ? stack : `caused by ${stack}`).split('\n').map(ink.style.dim));
  }
  return lines;
}
