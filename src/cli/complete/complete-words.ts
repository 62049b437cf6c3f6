import type { Argv, CommandModule, Options } from 'yargs';
import { settingKeys, settingRows } from '../../config/settings.ts';
import { commandList } from '../command-list.ts';
import { commandNamed, loadCommand } from '../commands.ts';
import type { Completion, KnownValues } from './known-values.ts';

type Values = () => Promise<KnownValues>;

/**
 * Completions of the last word.
 * @param words the command line without the program's name; the last word may be empty
 */
export async function completeWords(words: string[], values: Values): Promise<Completion[]> {
  const [name = '', ...rest] = wholeWords(words);
  if (words.length <= 1) return startingWith(name, commands());
  const known = commandNamed(name);
  if (known === null) return name === 'help' ? startingWith(rest.at(-1) ?? '', commands()) : [];
  return completeArgument(await loadCommand(known), rest, values);
}

/** bash splits `--repo=x` at the `=`; PowerShell passes "" for a word that has not been started. */
function wholeWords(words: string[]): string[] {
  const whole = words.filter((word, at) => word !== '=' || words[at - 1]?.startsWith('--') !== true);
  const last = words.at(-1) === '=' ? [''] : [];
  return [...whole, ...last].map((word) => (word === '""' ? '' : word));
}

function commands(): Completion[] {
  return commandList()
    .flatMap((group) => group.commands)
    .map(({ name, purpose }) => ({ value: name, about: purpose }));
}

async function completeArgument(
  module: CommandModule,
  words: string[],
  values: Values,
): Promise<Completion[]> {
  const { options, positionals } = argumentsOf(module);
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const inline = /^(--[\w-]+)=(.*)$/.exec(current);
  if (inline !== null)
    return startingWith(inline[2] ?? '', await valuesOf(options.get(inline[1] ?? ''), values));
  const option = options.get(before.at(-1) ?? '');
  if (option !== undefined && takesValue(option))
    return startingWith(current, await valuesOf(option, values));
  if (current.startsWith('-')) return startingWith(current, namesOf(options));
  const place = before.filter(
    (word, at) => !word.startsWith('-') && !takesValue(options.get(before[at - 1] ?? '')),
  ).length;
  const usage = String(module.command).split(' ').slice(1);
  const wanted = usage[place] ?? (usage.at(-1)?.includes('..') ? usage.at(-1) : undefined);
  const positional = wanted?.replace(/\W/g, '') ?? '';
  // Only the first word can be completed: a query begins with any word, and an id is the only word.
  if (positional === 'words' && place > 0) return [];
  return startingWith(current, await valuesOf(positionals.get(positional), values));
}

interface Argument extends Options {
  name: string;
}

function argumentsOf({ builder }: CommandModule) {
  const options = new Map<string, Argument>();
  const positionals = new Map<string, Argument>();
  const recorder: unknown = new Proxy(
    {},
    {
      get: (_, method) => (name: string, settings: Options) => {
        const argument = { ...settings, name };
        if (method === 'positional') positionals.set(name, argument);
        if (method === 'option')
          for (const one of [name, settings.alias ?? []].flat())
            options.set(`${one.length === 1 ? '-' : '--'}${one}`, argument);
        return recorder;
      },
    },
  );
  if (typeof builder === 'function') builder(recorder as Argv);
  return { options, positionals };
}

function takesValue(option: Argument | undefined): boolean {
  return option !== undefined && option.type !== 'boolean';
}

function namesOf(options: Map<string, Argument>): Completion[] {
  return [...options].map(([value, { describe }]) => ({ value, about: describe ?? '' }));
}

async function valuesOf(argument: Argument | undefined, values: Values): Promise<Completion[]> {
  if (argument === undefined) return [];
  if (argument.choices !== undefined)
    return [...argument.choices].map((value) => ({ value: String(value), about: '' }));
  if (argument.name === 'key')
    return settingKeys().map((value) => ({ value, about: settingRows[value].description }));
  const kind = KINDS[argument.name];
  return kind === undefined ? [] : (await values())[kind];
}

/** By name of the option or positional. */
const KINDS: Record<string, keyof KnownValues> = {
  id: 'ids',
  ids: 'ids',
  words: 'ids',
  session: 'ids',
  other: 'ids',
  repo: 'repositories',
  branch: 'branches',
  machine: 'machines',
  lang: 'languages',
  tag: 'tags',
  tags: 'tags',
};

function startingWith(start: string, completions: Completion[]): Completion[] {
  const wanted = start.toLowerCase();
  return completions.filter(({ value }) => value.toLowerCase().startsWith(wanted));
}
