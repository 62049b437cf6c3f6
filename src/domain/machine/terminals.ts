/** Terminals that a fork can be opened in. */
export const TERMINALS = [
  'tmux',
  'wezterm',
  'kitty',
  'gnome-terminal',
  'konsole',
  'xterm',
  'terminal-app',
  'iterm',
  'windows-terminal',
] as const;
export type TerminalName = (typeof TERMINALS)[number];
