import { readFileSync } from 'node:fs';

/** The commands in the groups and order of `--help`. */
export type CommandList = { title: string; commands: ListedCommand[] }[];

export interface ListedCommand {
  name: string;
  aliases: string[];
  purpose: string;
}

/** The list that the build wrote: loading all commands takes longer than a search. */
export function commandList(): CommandList {
  return JSON.parse(readFileSync(new URL('../../dist/commands.json', import.meta.url), 'utf8'));
}
