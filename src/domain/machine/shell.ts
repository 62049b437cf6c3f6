import { sanitize } from '../text/sanitize.ts';

/** Shells that a command line can be written for; `posix` is sh, bash, zsh and fish. */
export const SHELLS = ['posix', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command line for the user to copy; it first changes to the directory, if given. */
export function commandLine(words: string[], directory: string | null, shell: Shell): string {
  const command = words.map((word) => quote(word, shell)).join(' ');
  if (directory === null) return command;
  const change = shell === 'cmd' ? 'cd /d' : 'cd';
  // A shell strips trailing newlines from a command substitution.
  const folder = directory.endsWith('\n') ? `${directory}/` : directory;
  return joinCommands([`${change} ${quote(folder, shell)}`, command], shell);
}

/** What to start for a program, with or without a shell: on Windows npm installs scripts, which only cmd can run. */
export function programCall(
  path: string,
  words: string[],
): { program: string; words: string[]; shell: boolean } {
  if (!/\.(?:cmd|bat)$/i.test(path)) return { program: path, words, shell: false };
  // The script's own line, which passes the words on, is parsed like the first one.
  const twice = words
    .map((word) => quoteCmd(word))
    .map((word) => (/^\^"/.test(word) ? escapeCmd(word) : word));
  return { program: [quoteCmd(path), ...twice].join(' '), words: [], shell: true };
}

/** One line that changes to a folder, runs a preparatory command, and starts a program. */
export function startLine(
  start: { words: string[]; directory: string | null; first: string[] | null },
  shell: Shell,
): string {
  const command = commandLine(start.words, start.directory, shell);
  if (start.first === null) return command;
  return joinCommands([commandLine(start.first, null, shell), command], shell);
}

/** Runs commands in order; where the shell supports it, each only if the one before succeeded. */
export function joinCommands(commands: string[], shell: Shell): string {
  // Windows PowerShell 5 has no &&.
  return commands.join(shell === 'powershell' ? '; ' : ' && ');
}

function quote(word: string, shell: Shell): string {
  if (shell === 'posix') return quotePosix(word);
  return shell === 'powershell' ? quotePowerShell(word) : quoteCmd(word);
}

/** Quotes as sh, bash, zsh and fish all read it. Fish takes a backslash inside quotes as an escape, so backslashes stand outside. */
function quotePosix(word: string): string {
  // At the beginning of a word, fish expands %self and zsh expands =name.
  if (/^(?![%=])[\w@%+=:,./-]+$/.test(word)) return word;
  if (hasHidden(word)) return `"$(printf '${printfText(word)}')"`;
  return `'${word.replace(/[\\']/g, "'\\$&'")}'`;
}

/** A printable ASCII text that `printf` turns into the word. */
function printfText(word: string): string {
  return [...new TextEncoder().encode(word)]
    .map((byte, at) => {
      const character = String.fromCharCode(byte);
      const isPlain = /^[\w ./:@+,=]$/.test(character) || (at > 0 && character === '-');
      return isPlain ? character : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
}

/** Whether a word has characters that act on a terminal, end the line, or cannot be seen. */
function hasHidden(word: string): boolean {
  return /[\t\n]/.test(word) || sanitize(word) !== word;
}

/** In PowerShell typographic quotes end a string too. */
function quotePowerShell(word: string): string {
  if (/^[\w+=:,./\\-]+$/.test(word)) return word;
  if (!hasHidden(word)) return `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
  const units = Array.from({ length: word.length }, (_, at) => word.charCodeAt(at));
  return `(-join [char[]](${units.join(',')}))`;
}

/**
 * Double quotes are enough, except for characters that cmd interprets inside them: `%` and quotes. A word with those is
 * written as its program will parse it, with a caret before each character special to cmd. So cmd sees none of
 * them inside quotes, and does not expand `%NAME^%`.
 */
function quoteCmd(given: string): string {
  // cmd cannot write a control character; the word must not name another file either.
  const word = hasHidden(given) ? `${sanitize(given).replace(/[\t\n]/g, '')}\ufffd` : given;
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
  const quoted = `"${word.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, '$1$1')}"`;
  return /["%]/.test(word) ? escapeCmd(quoted) : quoted;
}

function escapeCmd(text: string): string {
  return text.replace(/[()%!^"<>&|]/g, '^$&');
}
