import { processEnvironment } from '../../config/environment.ts';
import { defineCommand } from '../run-command.ts';
import { print } from '../terminal/print.ts';
import { type CompletionShell, completionScript, SHELLS } from './shell-scripts.ts';

export const completionCommand = defineCommand({
  command: 'completion [shell]',
  describe: 'print a completion script for bash, zsh, fish or PowerShell',
  builder: (yargs) =>
    yargs
      .positional('shell', { choices: SHELLS, describe: 'shell (default: yours)' })
      .example('source <($0 completion bash)', 'in ~/.bashrc')
      .example('source <($0 completion zsh)', 'in ~/.zshrc, after compinit')
      .example('$0 completion fish > ~/.config/fish/completions/smart-fork.fish', 'run it once')
      .example('$0 completion powershell | Out-String | Invoke-Expression', 'in $PROFILE')
      .epilogue('Completes commands, options, session ids, repositories, tags, languages and settings.'),
  handler: async ({ shell }) => {
    print(completionScript(shell ?? shellOfUser(processEnvironment().SHELL)));
  },
});

function shellOfUser(path: string | undefined): CompletionShell {
  return SHELLS.find((shell) => path?.endsWith(`/${shell}`)) ?? 'bash';
}
