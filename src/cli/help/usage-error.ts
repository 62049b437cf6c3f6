import type { CommandModule } from 'yargs';
import { SmartForkError } from '../../domain/errors.ts';
import { didYouMean } from '../../domain/text/nearest-value.ts';

export interface Usage {
  words: string[];
  /** The commands that may have been meant; a single one if it is known. */
  modules: CommandModule[];
  /** The names of the options, without dashes. */
  options: string[];
}

/** Rewords a message of yargs in the style of the other errors. */
export function usageError(message: string, usage: Usage): SmartForkError {
  const [first] = usage.modules;
  const name = usage.modules.length === 1 ? nameOf(first) : null;
  const see = name === null ? 'smart-fork --help lists the commands.' : `See smart-fork ${name} --help.`;
  for (const [pattern, explain] of EXPLANATIONS) {
    const match = pattern.exec(message);
    if (match === null) continue;
    const { text, hint = see } = explain(match.slice(1), usage);
    return new SmartForkError('USAGE', text, { hint });
  }
  return new SmartForkError('USAGE', message, { hint: see });
}

type Explain = (parts: string[], usage: Usage) => { text: string; hint?: string };

const EXPLANATIONS: [RegExp, Explain][] = [
  [
    /^Did you mean (.+)\?$/,
    ([similar = ''], { words }) => ({
      text: `unknown command "${words[0]}"`,
      hint: `Did you mean smart-fork ${similar}?`,
    }),
  ],
  [
    /^Unknown arguments?: (.+)$/s,
    ([list = ''], usage) => {
      const text = unknownText(list.split(', '), usage);
      return { text, hint: takesWords(usage) && !text.includes('did you mean') ? IN_WORDS : undefined };
    },
  ],
  [
    /^Not enough non-option arguments: got (\d+)/,
    ([got = ''], { modules }) => ({
      text: `missing ${positionalsOf(modules[0])
        .slice(Number(got))
        .filter((word) => word.startsWith('<'))
        .join(' ')}`,
    }),
  ],
  [
    /^Missing required arguments?: (.+)$/s,
    ([list = '']) => ({ text: `missing ${optionList(list.split(', '))}` }),
  ],
  [/^Not enough arguments following: (.+)$/, ([name = '']) => ({ text: `${dashed(name)} needs a value` })],
  [
    /^ {0,8}Argument: ([^,\n]{1,80}), Given: "(.*)", Choices: (.+)$/m,
    ([name = '', given = '', choices = ''], { modules }) => ({
      text: `${valueText(name, given, modules[0])} is not one of ${choices.replaceAll('"', '')}${didYouMean(given, choices.replaceAll('"', '').split(', '))}`,
    }),
  ],
  [
    /^Arguments (\S+) and (\S+) are mutually exclusive$/,
    ([one = '', other = '']) => ({ text: `${dashed(one)} and ${dashed(other)} cannot be combined` }),
  ],
  [
    /\n (\S+) -> (\S+)/,
    ([option = '', needed = '']) => ({ text: `${dashed(option)} needs ${dashed(needed)}` }),
  ],
];

const IN_WORDS = 'If it is part of the text, quote the whole text, or put -- before the text.';

/** Whether an unknown option may be part of a text: `recall why does it need --trust`. */
function takesWords({ words, modules }: Usage): boolean {
  const isOnly = modules.length === 1 && positionalsOf(modules[0]).some((word) => word.includes('..'));
  return isOnly && words.some((word) => !word.startsWith('-') && word !== nameOf(modules[0]));
}

function nameOf(module: CommandModule | undefined): string {
  return String(module?.command ?? '').split(' ')[0] ?? '';
}

/** `<id>` and `[words..]`, as printed in the help. */
function positionalsOf(module: CommandModule | undefined): string[] {
  return String(module?.command ?? '')
    .split(' ')
    .slice(1);
}

function unknownText(unknown: string[], { words, modules, options: known }: Usage): string {
  const options = words
    .filter((word) => unknown.some((name) => isOption(word, name)))
    .map((word) => word.split('=')[0] ?? '');
  if (options.length > 0)
    return `unknown option ${options.join(', ')}${didYouMean(options[0], known.map(dashed))}`;
  if (modules.length !== 1) return `unknown command "${words[0]}"`;
  const extra = unknown.map((word) => `"${word.replaceAll('"', '')}"`).join(', ');
  return positionalsOf(modules[0]).length === 0
    ? `${nameOf(modules[0])} takes no arguments, got ${extra}`
    : `too many arguments: ${extra}`;
}

function isOption(word: string, name: string): boolean {
  const option = word.split('=')[0] ?? '';
  return (
    option === `--${name}` ||
    option === `--no-${name}` ||
    (name.length === 1 && /^-\w/.test(option) && option.includes(name))
  );
}

/** The value as typed: with its option, or quoted. */
function valueText(name: string, given: string, module: CommandModule | undefined): string {
  const isPositional = positionalsOf(module).some((word) => word.replace(/\W/g, '') === name);
  return isPositional ? `"${given}"` : `${dashed(name)} ${given}`;
}

function optionList(names: string[]): string {
  return names.map(dashed).join(' and ');
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
