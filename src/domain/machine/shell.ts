/** Shells that a command line can be written for; `posix` is sh, bash, zsh and fish. */
export const SHELLS = ['posix', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];

/** A command line for the user to copy; it changes to the directory first, if one is given. */
export function commandLine(words: string[], directory: string | null, shell: Shell): string {
  const command = words.map((word) => quote(word, shell)).join(' ');
  if (directory === null) return command;
  const change = shell === 'cmd' ? 'cd /d' : 'cd';
  return joinCommands([`${change} ${quote(directory, shell)}`, command], shell);
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

function quotePosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** In PowerShell typographic quotes end a string too. */
function quotePowerShell(word: string): string {
  return /^[\w+=:,./\\-]+$/.test(word) ? word : `'${word.replace(/['‘’‚‛]/g, '$&$&')}'`;
}

/**
 * Double quotes are enough, except for characters that cmd interprets inside them: `%` and quotes. A word with those is
 * written as its program will parse it, with a caret before each character special to cmd. So cmd sees none of
 * them inside quotes, and does not expand `%NAME^%`.
 */
function quoteCmd(word: string): string {
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
  const quoted = `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
  return /["%]/.test(word) ? quoted.replace(/[()%!^"<>&|]/g, '^$&') : quoted;
}
