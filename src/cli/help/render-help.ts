import { commandList, type ListedCommand } from '../command-list.ts';
import type { CommandName } from '../commands.ts';
import { padEnd, wrap } from '../terminal/width.ts';

/** Longer lines of prose are hard to read, however wide the terminal. */
const WIDEST_HELP = 100;

export function helpWidth(): number {
  return Math.min(WIDEST_HELP, process.stdout.columns || 80);
}

const EXAMPLES: [command: string, purpose: string][] = [
  ['smart-fork demo', 'try it on sample sessions'],
  ['smart-fork init', 'set up your agents, then index'],
  ['smart-fork fork "add rate limiting to the API"', 'pick a session and continue it'],
  ['smart-fork search flaky test --repo .', 'search this repository'],
];

const OPTIONS: [option: string, purpose: string][] = [
  ['--color, --no-color', 'turn colors on or off (default: on in a terminal)'],
  ['--debug', 'show the stack trace of errors'],
  ['-h, --help', 'show help for smart-fork or a command'],
  ['-V, --version', 'show the version'],
];

/** The commands that `--help` explains; it only names the others. */
const COMMON: CommandName[] = [
  'demo',
  'init',
  'search',
  'fork',
  'sessions',
  'show',
  'recall',
  'open',
  'blame',
  'serve',
  'status',
  'doctor',
  'config',
];

const PURPOSE = 'Find the past agent session that holds the context you need, and fork from it.';
const USAGE = 'Usage: smart-fork <command> [options]';

/** The help of the common commands, and the names of the others. */
export function renderHelp(columns: number): string {
  const groups = commandList();
  const commands = groups.flatMap((group) => group.commands);
  const common = COMMON.flatMap((name) => commands.filter((one) => one.name === name)).map(rowOf);
  const others = groups
    .map(({ title, commands }): [string, string] => [
      title,
      commands.flatMap(({ name }) => (isCommon(name) ? [] : name)).join(', '),
    ])
    .filter(([, names]) => names !== '');
  return [
    ...wrap(PURPOSE, columns),
    '',
    USAGE,
    '',
    'Common commands:',
    ...rowLines(common, columns),
    '',
    'Other commands:',
    ...rowLines(others, columns),
    ...renderExamples(EXAMPLES, columns),
    '',
    ...wrap('In a terminal, smart-fork without a command asks what you want to do.', columns),
    ...wrap(
      'smart-fork help --all explains every command, smart-fork <command> --help one of them.',
      columns,
    ),
  ].join('\n');
}

function isCommon(name: string): boolean {
  return COMMON.some((one) => one === name);
}

/** The help of all commands, in groups. */
export function renderFullHelp(columns: number): string {
  const groups = commandList().map(({ title, commands }) => [title, commands.map(rowOf)] as const);
  const label = Math.max(...groups.flatMap(([, rows]) => rows.map(([name]) => name.length)));
  return [
    ...wrap(PURPOSE, columns),
    '',
    USAGE,
    ...groups.flatMap(([title, rows]) => ['', `${title}:`, ...rowLines(rows, columns, label)]),
    '',
    'Options:',
    ...rowLines(OPTIONS, columns),
    ...renderExamples(EXAMPLES, columns),
    '',
    ...wrap('smart-fork <command> --help explains a command and shows examples.', columns),
  ].join('\n');
}

function rowOf({ name, aliases, purpose }: ListedCommand): [string, string] {
  return [name, aliases.length === 0 ? purpose : `${purpose} (also: ${aliases})`];
}

function rowLines(
  rows: [string, string][],
  columns: number,
  label: number = Math.max(...rows.map(([name]) => name.length)),
): string[] {
  const indent = label + 4;
  return rows.flatMap(([name, text]) =>
    wrap(text, Math.max(16, columns - indent)).map((line, i) =>
      i === 0 ? `  ${padEnd(name, label)}  ${line}` : ' '.repeat(indent) + line,
    ),
  );
}

/** Each command on one line, to be copied. */
export function renderExamples(examples: [command: string, purpose: string][], columns: number): string[] {
  if (examples.length === 0) return [];
  return [
    '',
    'Examples:',
    ...examples.flatMap(([command, purpose]) => exampleLines(command, purpose, columns)),
  ];
}

const EXAMPLE_WIDTH = 48;

function exampleLines(command: string, purpose: string, columns: number): string[] {
  const line = `  ${padEnd(command, EXAMPLE_WIDTH)}${purpose}`;
  return command.length < EXAMPLE_WIDTH && line.length <= columns
    ? [line]
    : [`  ${command}`, ...wrap(purpose, columns - 6).map((part) => `      ${part}`)];
}
