/**
 * Opens a terminal that runs a command line of the user's shell. Never throws: a terminal that cannot be opened is an
 * answer, because the command can always be copied instead.
 */
export interface TerminalLauncher {
  launch(command: string, title: string): Promise<LaunchResult>;
}

/** `terminalId` names what was opened, as far as the terminal says: `tmux:work:2.%7`, or just `xterm`. */
export type LaunchResult = { terminalId: string } | { failed: string };
