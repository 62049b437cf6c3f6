import type { TerminalName } from '../../domain/machine/terminals.ts';

/** The program and arguments that open a terminal running a command line. */
export function terminalWords(
  terminal: TerminalName,
  command: string,
  title: string,
  shell: string,
): string[] {
  // A shell stays open, so that the agent's last output, or why it did not start, can be read.
  const lasting = `${command}; exec ${shell}`;
  // A login shell has the PATH of the user's own terminal.
  const inShell = [shell, '-lic', lasting];
  switch (terminal) {
    case 'tmux':
      return [
        'tmux',
        'new-window',
        '-P',
        '-F',
        '#{session_name}:#{window_index}.#{pane_id}',
        '-n',
        title,
        lasting,
      ];
    case 'wezterm':
      return ['wezterm', 'cli', 'spawn', '--', ...inShell];
    case 'kitty':
      return ['kitty', '@', 'launch', '--type=tab', '--title', title, ...inShell];
    case 'gnome-terminal':
      return ['gnome-terminal', '--title', title, '--', ...inShell];
    case 'konsole':
      return ['konsole', '-e', ...inShell];
    case 'xterm':
      return ['xterm', '-T', title, '-e', ...inShell];
    case 'terminal-app':
      return osascript(`tell application "Terminal"\nactivate\ndo script ${appleText(command)}\nend tell`);
    case 'iterm':
      return osascript(
        `tell application "iTerm"\nactivate\ntell (create window with default profile) to tell current session to write text ${appleText(command)}\nend tell`,
      );
    case 'windows-terminal':
      // wt takes a semicolon as the end of its own command.
      return [
        'wt.exe',
        'new-tab',
        '--title',
        title,
        'powershell',
        '-NoExit',
        '-Command',
        command.replaceAll(';', '\\;'),
      ];
  }
}

function osascript(script: string): string[] {
  return ['osascript', '-e', script];
}

function appleText(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
