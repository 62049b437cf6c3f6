import type { TerminalName } from '../../domain/machine/terminals.ts';

/** The command that opens a terminal running the given command line. */
export function terminalCommand(
  terminal: TerminalName,
  command: string,
  title: string,
  shell: string,
): string[] {
  // A shell keeps the window open, so that the user can read the agent's last output or why it did not start.
  const lasting = `${command}; exec ${shell}`;
  // A login shell has the same PATH as the user's terminal.
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
      // A semicolon would end wt's own command.
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
