/** A command line for a person to copy into the shell of a platform. */
export function commandLine(words: string[], directory: string | null, platform: NodeJS.Platform): string {
  const quote = platform === 'win32' ? quotePowerShell : quotePosix;
  const command = words.map(quote).join(' ');
  if (directory === null) return command;
  return platform === 'win32' ? `cd ${quote(directory)}; ${command}` : `cd ${quote(directory)} && ${command}`;
}

function quotePosix(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function quotePowerShell(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}
