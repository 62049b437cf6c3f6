import { describe, expect, it } from 'vitest';
import { runCli } from '../support/machines/cli.ts';
import { sharedWorld } from '../support/machines/shared-world.ts';

const world = sharedWorld();

const COMMANDS = [
  ...[
    'demo',
    'index',
    'search',
    'retrieve',
    'compare',
    'show',
    'sessions',
    'stats',
    'doctor',
    'config',
    'model',
    'key',
    'reindex',
    'forget',
    'tag',
  ],
];

describe('help', () => {
  it('explains the common commands on one screen, and names every other', async () => {
    for (const words of [[], ['--help'], ['-h']]) {
      const { status, stdout, stderr } = await runCli(world(), words);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      for (const name of ['search', 'fork', 'init']) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
      for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`(?:^  |, |  )${name}\\b`, 'm'));
      expect(stdout.split('\n').length).toBeLessThanOrEqual(42);
    }
  });

  it('explains every command with --all', async () => {
    for (const words of [
      ['help', '--all'],
      ['--help', '--all'],
    ]) {
      const { status, stdout, stderr } = await runCli(world(), words);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
  });

  it.each(COMMANDS)('describes %s in its help, with an example', async (name) => {
    const { status, stdout, stderr } = await runCli(world(), [name, '--help']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^smart-fork ${name}`));
    expect(stdout).toMatch(new RegExp(`Examples:\\s+smart-fork ${name}`));
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('prints its version', async () => {
    for (const flag of ['--version', '-V'])
      expect((await runCli(world(), [flag])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('the help', () => {
  it('lists the commands in groups, and fits 80 columns in a pipe', async () => {
    const { stdout } = await runCli(world(), ['help', '--all'], { env: { COLUMNS: undefined } });
    const groups = ['Start', 'Find', 'Remember', 'Fork', 'Maintain', 'Several machines', 'Plumbing'];
    expect([...stdout.matchAll(/^(\w[\w ]+):$/gm)].map((match) => match[1])).toEqual([
      ...groups,
      'Options',
      'Examples',
    ]);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('shows a command’s help with the command help too, and says which options are numbers', async () => {
    const { stdout } = await runCli(world(), ['help', 'search']);
    expect(stdout).toBe((await runCli(world(), ['search', '--help'])).stdout);
    expect(stdout).toMatch(/-n, --limit .*\[number\]\n/);
    expect(stdout).toBe((await runCli(world(), ['s', '-h'])).stdout);
  });
});

describe('a command line error', () => {
  it.each([
    [['serch', 'x'], 'unknown command "serch"', 'Did you mean smart-fork search?'],
    [
      ['pause'],
      'unknown command "pause"',
      'To stop indexing in the background: smart-fork config set indexing.auto_index false',
    ],
    [['delete', 'x'], 'unknown command "delete"', 'To remove a session: smart-fork forget ID'],
    [['frobnicate'], 'unknown command "frobnicate"', 'smart-fork --help lists the commands.'],
    [
      ['search', 'x', '--colour-me=1'],
      'unknown option --colour-me',
      'If it is part of the text, quote the whole text, or put -- before the text.',
    ],
    [
      ['recall', 'why', 'need', '--trust'],
      'unknown option --trust',
      'If it is part of the text, quote the whole text, or put -- before the text.',
    ],
    [
      ['search', 'x', '--limt', '3'],
      'unknown option --limt; did you mean --limit?',
      'See smart-fork search --help.',
    ],
    [
      ['--verison'],
      'unknown option --verison; did you mean --version?',
      'smart-fork --help lists the commands.',
    ],
    [
      ['config', 'set', 'search.mod', 'x'],
      'unknown setting search.mod',
      'Did you mean search.mode? smart-fork config list shows all settings.',
    ],
    [
      ['config', 'set', 'codex.homes', '/x'],
      'codex.homes: expected a list of folders, found "/x"',
      `smart-fork config set codex.homes '["/x"]'`,
    ],
    [
      ['config', 'set', 'archive.max_bytes', '2GB'],
      'archive.max_bytes: expected a number of bytes, at least 1000000, found "2GB"',
      'docs/configuration.md describes the values.',
    ],
    [['sessions', '-q'], 'unknown option -q', 'See smart-fork sessions --help.'],
    [['show', 'a', 'b'], 'too many arguments: "b"', 'See smart-fork show --help.'],
    [['doctor', 'x'], 'doctor takes no arguments, got "x"', 'See smart-fork doctor --help.'],
    [['migrate'], 'missing --to', 'See smart-fork migrate --help.'],
    [['search', 'x', '--limit'], '--limit needs a value', 'See smart-fork search --help.'],
    [
      ['search', 'x', '-n', 'abc'],
      '--limit abc is not a whole number from 1 to 200',
      'See smart-fork search --help.',
    ],
    [['search', 'x', '--min-score', 'y'], '--min-score y is not a number', 'See smart-fork search --help.'],
    [
      ['search', 'x', '--mode', 'magic'],
      '--mode magic is not one of hybrid, keyword, dense',
      'See smart-fork search --help.',
    ],
    [['config', 'frob'], '"frob" is not one of get, set, unset, list, path', 'See smart-fork config --help.'],
    [
      ['fork', 'x', '--exec', '--print'],
      '--exec and --print cannot be combined',
      'See smart-fork fork --help.',
    ],
    [['worker', '--watch'], '--watch needs --follow', 'See smart-fork worker --help.'],
  ])('reports what is wrong with %j', async (words, message, hint) => {
    const { status, stdout, stderr } = await runCli(world(), words);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${message}\nhint: ${hint}\n`,
    });
    const json = await runCli(world(), [...words, '--json']);
    if (words.at(-1) !== '--limit')
      expect(JSON.parse(json.stdout).error).toMatchObject({ code: 'USAGE', message });
  });
});

describe('incorrect usage', () => {
  it.each([
    ['an unknown command', ['serach', 'x']],
    ['a name that every object has', ['constructor']],
    ['another name that every object has', ['toString', 'x']],
    ['an unknown option', ['search', 'x', '--colour-me']],
    ['a missing query', ['search']],
    ['an empty query', ['search', '  ']],
    ['a limit that is not a number', ['search', 'x', '--limit', 'many']],
    ['a limit that is too small', ['search', 'x', '--limit', '0']],
    ['a limit that is too large', ['search', 'x', '--limit', '201']],
    ['a limit without a value', ['search', 'x', '--limit']],
    ['an unknown mode', ['search', 'x', '--mode', 'magic']],
    ['an unknown agent', ['search', 'x', '--agent', 'nosuch']],
    ['an invalid time', ['search', 'x', '--since', 'soonish']],
    ['a time beyond the calendar', ['search', 'x', '--since', '999999999 years']],
    ['a time before the calendar', ['search', 'x', '--until', '999999 weeks']],
    ['an invalid day', ['search', 'x', '--as-of', 'tomorrowish']],
    ['an unknown marker', ['sessions', '--marker', 'NOPE']],
    ['too many arguments', ['show', 'a', 'b']],
    ['a budget that is not a number', ['retrieve', 'x', '--max-tokens', 'all']],
    ['a budget that is too small', ['retrieve', 'x', '--max-tokens', '5']],
    ['contradictory options', ['retrieve', 'x', '--full', '--max-tokens', '500']],
  ])('exits with 2 for %s, reports it on stderr and prints nothing', async (_, words) => {
    const { status, stdout, stderr } = await runCli(world(), words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n(?:hint: .+\n)?/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

it.each(['show', 'retrieve'])(
  'prints the help of %s, and what is missing, if nothing follows it',
  async (name) => {
    const { status, stdout, stderr } = await runCli(world(), [name]);
    expect(status).toBe(2);
    expect(stdout).toContain(`smart-fork ${name} <id`);
    expect(stderr).toMatch(/^error: missing <ids?/);
  },
);

it('names only the missing argument, not the optional one after it', async () => {
  expect((await runCli(world(), ['memory'])).stderr).toMatch(/^error: missing <action>\n/);
});

it('uses the last value of a repeated option', async () => {
  for (const words of [
    ['sessions', '--branch', 'a', '--branch', 'b'],
    ['search', 'x', '--limit', '0', '--limit', '2'],
    ['search', 'x', '--limit', '200', '--limit', '1'],
    ['sessions', '-n', '1000', '--limit', '1'],
    ['sessions', '-n', '1000', '-n', 'x', '--limit', '1'],
    ['sessions', '--since', '2026-02-30', '--since', '2026-02-28'],
  ])
    expect([words, (await runCli(world(), words)).status]).toEqual([words, 0]);
  expect((await runCli(world(), ['search', 'x', '--limit', '1', '--limit', '0'])).status).toBe(2);
});

it('refuses impossible dates, and names the option', async () => {
  for (const [option, value] of [
    ['--since', '2026-02-30'],
    ['--until', '2026-04-31T10:00'],
    ['--since', '2025-02-29'],
    ['--since', '2026-13-01'],
  ] as const) {
    const { status, stderr } = await runCli(world(), ['sessions', option, value]);
    expect(status).toBe(2);
    expect(stderr).toContain(`${option} "${value}" is not a time`);
  }
  expect((await runCli(world(), ['sessions', '--since', '2024-02-29'])).status).toBe(0);
});

it('refuses an invalid cursor', async () => {
  const { status, stderr } = await runCli(world(), ['sessions', '--cursor', 'abc']);
  expect(status).toBe(2);
  expect(stderr).toContain('invalid cursor "abc"');
});
