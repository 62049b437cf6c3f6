import { clip } from '../../text/clip.ts';
import { findCommits } from '../tool-line.ts';

/** How many UTF-16 units are searched at the beginning and at the end of an output. */
const SEARCHED = 6000;
const LONGEST_LINE = 300;

/**
 * The lines of a command's output that explain a failure: the message, and the place in the code if there is one. Null if no line
 * looks like an error.
 */
export function errorLines(output: string): string | null {
  const lines = endsOf(output)
    .split('\n')
    .map((line) =>
      line
        .replace(COLOURS, '')
        .trim()
        .slice(0, LONGEST_LINE * 2),
    )
    .filter((line) => line !== '');
  for (const pattern of MESSAGES) {
    const at = lines.findIndex((line) => pattern.test(line) && !HARMLESS.test(line));
    if (at < 0) continue;
    const frame = lines.slice(at + 1, at + 12).find((line) => FRAME.test(line));
    return [lines[at] ?? '', ...(frame === undefined ? [] : [frame])]
      .map((line) => clip(line, LONGEST_LINE))
      .join('\n');
  }
  return null;
}

/** Whether the output of a successful command may report errors. Cheap, because most outputs do not. */
export function tellsOfErrors(output: string): boolean {
  // Each alternative has one of these words. Most outputs have none, and looking for words takes a fraction of the time.
  return WORDS.some((word) => output.includes(word)) && TELLING.test(output);
}

/** A commit that git reports was made, whatever its hooks printed before. */
export function errorsOfPassed(output: string): string | null {
  return tellsOfErrors(output) && findCommits(output).length === 0 ? errorLines(output) : null;
}

const WORDS = ['fail', 'FAIL', 'error'];
const TELLING =
  /\b(?!0\b)\d+ (?:tests? )?(?:failed|failing|failures?|errors?)\b|\bFAIL(?:ED)?\b|\berror TS\d/;

function endsOf(output: string): string {
  if (output.length <= 2 * SEARCHED) return output;
  return `${output.slice(0, SEARCHED)}\n${output.slice(-SEARCHED)}`;
}

const COLOURS = /\x1b\[[0-9;]{0,20}m/g;

/** The most specific patterns first. */
const MESSAGES = [
  /^(?:Uncaught |Caused by: |E\s{1,8})?(?:[\w$]{1,40}\.){0,8}[A-Z][\w$]{0,60}(?:Error|Exception|Panic)\b[^\n]{0,20}:\s*\S/,
  /\berror(?: TS\d{4}|\[E\d{4}\]):? /,
  /^(?:panicked at|thread '[^']{1,60}' panicked|panic:|fatal:|FATAL\b|npm (?:ERR!|error) (?!A complete log)\w|segmentation fault)/i,
  /^(?:[✗✘×❌●]|\(fail\)|FAIL(?:ED)?\b|not ok\b|--- FAIL:)\s*\S/,
  /^(?:[\w./-]{1,80}: )?(?:line \d+: )?[^\s:]{1,80}: (?:command not found|No such file or directory|Permission denied)/,
  /^(?:[\w./@ -]{1,80}:\d+:\d+:? )?(?:✖ )?(?:lint\/\S+|error\b[:\s])/i,
  /\b(?!0\b)\d+ (?:tests? )?(?:failed|failing|failures?|errors?)\b/i,
];
const HARMLESS =
  /^(?:[×✖] )?Some errors were emitted|\b(?:0 (?:errors?|failed|fail|failures?)|no errors?)\b/i;
const FRAME =
  /^at (?:[^\n]{0,120} )?\(?[^()\n]{1,200}:\d+:\d+\)?$|^File "[^"\n]{1,200}", line \d+|^(?:-->|❯|➜)\s*[^\s:]{1,200}:\d+/;
