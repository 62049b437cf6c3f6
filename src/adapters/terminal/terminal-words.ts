import type { TerminalName } from '../../domain/machine/terminals.ts';

/** The program and its arguments that open a terminal with a command line in it. */
export function terminalWords(
  terminal: TerminalName,
  command: string,
  title: string,
  shell: string,
): string[] {
  // A shell stays behind: what the agent said when it ended, or could not start, can be read.
  const lasting = `${command}; exec ${shell}`;
  // A login shell, so that the agent is found where the user's own terminal finds it.
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
      // wt takes a semicolon for the end of its own command.
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
