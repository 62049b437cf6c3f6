import type { CommandList } from './command-list.ts';
import { COMMAND_GROUPS } from './commands.ts';

/** The list of the commands, for which all are loaded: the build writes it into a file. */
export async function listCommands(): Promise<CommandList> {
  const groups: CommandList = [];
  for (const [title, commands] of Object.entries(COMMAND_GROUPS)) {
    const modules = await Promise.all(Object.values(commands).map((load) => load()));
    groups.push({
      title,
      commands: modules.map(({ command, aliases = [], describe }) => ({
        name: String(command).split(' ')[0] ?? '',
        aliases: [aliases].flat(),
        purpose: String(describe),
      })),
    });
  }
  return groups;
}
