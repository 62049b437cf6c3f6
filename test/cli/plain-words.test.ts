import { describe, expect, it } from 'vitest';
import type { CommandModule } from 'yargs';
import { commandNames, loadCommand } from '../../src/cli/commands.ts';
import { runWithYargs } from '../../src/cli/help/parse-with-yargs.ts';
import { readPlainWords } from '../../src/cli/plain-words.ts';
import { SmartForkError } from '../../src/domain/errors.ts';

describe('the words of a command, read without yargs', () => {
  it.each([
    'search fix the flaky test',
    'search add cards --mode keyword --json',
    'search --limit 7 --min-score 0.2 login --repo . --since 3d --starred',
    'search oauth --as-of 2026-01-01 --literal --marker PATTERN',
    'stats --json',
    'show abc --color --debug',
    'status',
  ])('are what yargs reads in %j', async (line) => {
    const [name = '', ...words] = line.split(' ');
    const module = await loadCommand(name);
    expect(readPlainWords(module, words)).not.toBeNull();
    expect(readPlainWords(module, words)).toStrictEqual(await readByYargs(module, words));
  });

  it('are left to yargs where an option needs another one', async () => {
    const module = await loadCommand('worker');
    expect(readPlainWords(module, ['--watch'])).toBeNull();
    expect(await readByYargs(module, ['--watch'])).toBe('--watch needs --follow');
  });

  it('are what yargs reads, or are left to it, for all commands and their options', async () => {
    const random = numbers();
    let plain = 0;
    for (const name of commandNames()) {
      const module = await loadCommand(name);
      const options = [...String(module.builder).matchAll(/option\(\s*['"]([\w-]+)['"]/g)].map(
        ([, one]) => `--${one}`,
      );
      const pool = [...WORDS, ...options, ...options];
      for (let round = 0; round < 150; round += 1) {
        const words = Array.from({ length: random(5) }, () => pool[random(pool.length)] ?? '');
        const read = readPlainWords(module, words);
        if (read === null) continue;
        plain += 1;
        expect({ name, words, read }).toStrictEqual({ name, words, read: await readByYargs(module, words) });
      }
    }
    expect(plain).toBeGreaterThan(300);
  });
});

const WORDS = JSON.parse(`[
  "login", "a b", "5", "0.5", "007", "1e3", "", " ", "true", "false", "'", "x=y", "a.b", "ünï", ".", "a\\nb", "it's",
  "\\"quoted\\"", "a\\"", "0x10", "null", "[x]", "{}", "_", "@f", "١٢", "NaN", "Infinity", "list", "show", "\\u0000", "-",
  "--json", "--json=true", "--no-json", "--color", "--no-color", "--debug", "--nosuch", "--", "-n", "-n5", "--mode", "keyword",
  "dense", "--limit", "--limit=3", "--since", "2d", "--ids", "--repo", "--all", "--marker", "todo", "__proto__", "constructor",
  "--constructor", "--__proto__", "--asOf", "--as-of", "--also", "--not"
]`) as string[];

/** What yargs hands the command, or the error. */
async function readByYargs(module: CommandModule, words: string[]): Promise<unknown> {
  let given: unknown = 'nothing';
  const handler = async (args: object) => {
    // yargs sets options that were not given to undefined.
    given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
  };
  try {
    await runWithYargs({ ...module, handler }, words);
  } catch (error) {
    if (error instanceof SmartForkError) return error.message;
    throw error;
  }
  return given;
}

/** The same sequence of numbers below a limit in each run. */
function numbers(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
