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
  it('prints help without a command, listing every command', async () => {
    for (const words of [[], ['--help'], ['-h']]) {
      const { status, stdout, stderr } = await runCli(world(), words);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`smart-fork ${name}\\b`));
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

describe('incorrect usage', () => {
  it.each([
    ['an unknown command', ['serach', 'x']],
    ['a name that every object has', ['constructor']],
    ['another such name', ['toString', 'x']],
    ['an unknown option', ['search', 'x', '--colour-me']],
    ['a missing query', ['search']],
    ['an empty query', ['search', '  ']],
    ['a missing id', ['retrieve']],
    ['a limit that is no number', ['search', 'x', '--limit', 'many']],
    ['a limit that is too small', ['search', 'x', '--limit', '0']],
    ['a limit that is too large', ['search', 'x', '--limit', '201']],
    ['a limit without a value', ['search', 'x', '--limit']],
    ['an unknown mode', ['search', 'x', '--mode', 'magic']],
    ['an unknown agent', ['search', 'x', '--agent', 'copilot']],
    ['a time that is none', ['search', 'x', '--since', 'soonish']],
    ['a time beyond the calendar', ['search', 'x', '--since', '999999999 years']],
    ['a day that is none', ['search', 'x', '--as-of', 'tomorrowish']],
    ['a marker that is none', ['sessions', '--marker', 'NOPE']],
    ['too many arguments', ['show', 'a', 'b']],
    ['a budget that is no number', ['retrieve', 'x', '--max-tokens', 'all']],
    ['a budget that is too small', ['retrieve', 'x', '--max-tokens', '5']],
    ['options that contradict each other', ['retrieve', 'x', '--full', '--max-tokens', '500']],
  ])('exits with 2 for %s, reports it on stderr and prints nothing', async (_, words) => {
    const { status, stdout, stderr } = await runCli(world(), words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .+\n(?:hint: .+\n)?/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

it('uses the last of a repeated option', async () => {
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

it('refuses impossible dates and names the option', async () => {
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
