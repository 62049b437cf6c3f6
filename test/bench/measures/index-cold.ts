import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Bench, BenchContext, Row } from '../bench.ts';
import { type Home, makeHome, memoryOfCli, timeCli, timeProcess } from '../processes.ts';
import { alternate } from '../timing.ts';

const TURNS = 5;
const PARSE_LINES = resolve('test', 'bench', 'floors', 'parse-lines.js');

export const indexClaude: Bench = {
  name: 'index-claude',
  describe: 'cold indexing by words of the Claude Code corpus',
  run: (context) => indexCold(context, 'Claude Code', { claude: context.claudeHome }),
};

export const indexCodex: Bench = {
  name: 'index-codex',
  describe: 'cold indexing by words of the Codex corpus',
  run: (context) => indexCold(context, 'Codex', { codex: context.codexHome }),
};

async function indexCold(
  { scratch }: BenchContext,
  name: string,
  agents: { claude?: string | null; codex?: string | null },
): Promise<Row[] | string> {
  const folder = agents.claude ?? agents.codex ?? null;
  if (folder === null) return `no ${name} transcripts`;
  const home = makeHome(scratch, agents);
  const transcripts = join(folder, agents.claude ? 'projects' : 'sessions');
  const index = ['index', '--no-embed', '--json'];
  const times = await alternate(
    TURNS,
    async () => {
      forgetIndex(home);
      return timeCli(home, ...index);
    },
    async () => timeProcess(home, PARSE_LINES, transcripts),
  );
  forgetIndex(home);
  const memory = memoryOfCli(home, ...index);
  return [
    {
      what: `index ${name} corpus, cold`,
      measured: { value: times.subject, unit: 'ms' },
      floor: { value: times.floor, unit: 'ms', label: 'read and parse' },
      target: { of: 'ratio', most: 2.5 },
    },
    {
      what: `… peak memory`,
      measured: { value: memory, unit: 'MB' },
      floor: null,
      target: { of: 'measured', most: 400 },
    },
  ];
}

function forgetIndex({ env }: Home): void {
  rmSync(env.SMART_FORK_HOME ?? '', { recursive: true, force: true });
}
