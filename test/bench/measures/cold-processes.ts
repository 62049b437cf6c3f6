import type { Bench, BenchContext, Row } from '../bench.ts';
import { type Home, makeHome, timeCli, timeProcess } from '../processes.ts';
import { alternate } from '../timing.ts';

const TURNS = 21;

export const indexAgain: Bench = {
  name: 'index-again',
  describe: 'a second index with nothing new, as a process',
  run: (context) => coldProcess(context, 'index again, nothing changed', ['index', '--json'], 4),
};

export const searchCold: Bench = {
  name: 'search-cold',
  describe: 'a keyword search as a process',
  run: (context) =>
    coldProcess(
      context,
      'search by keyword, a process of its own',
      ['search', 'add token usage cards to the dashboard', '--mode', 'keyword'],
      3,
    ),
};

async function coldProcess(
  { scratch, claudeHome, codexHome }: BenchContext,
  what: string,
  words: string[],
  most: number,
): Promise<Row[] | string> {
  if (claudeHome === null) return 'no Claude Code transcripts';
  const home = makeHome(scratch, { claude: claudeHome, codex: codexHome });
  timeCli(home, 'index', '--no-embed', '--json');
  return [await timeAsProcess(home, what, words, most)];
}

/** The time of a command as a process, compared with `node -e 0`. */
export async function timeAsProcess(home: Home, what: string, words: string[], most: number): Promise<Row> {
  const times = await alternate(
    TURNS,
    async () => timeCli(home, ...words),
    async () => timeProcess(home, '-e', '0'),
  );
  return {
    what,
    measured: { value: times.subject, unit: 'ms' },
    floor: { value: times.floor, unit: 'ms', label: 'node -e 0' },
    target: { of: 'ratio', most },
  };
}
