import { join } from 'node:path';
import type { Parts } from '../../../src/compose/parts.ts';
import type { LocalStore } from '../../../src/ports/outbox.ts';
import type { Bench, Row } from '../bench.ts';
import { appendTurn, writeLongTranscript } from '../data/long-transcript.ts';
import { indexWords, openLibrary } from '../library.ts';
import { median, timed } from '../timing.ts';

const TURNS = 15;
const SIZES = [1, 10, 40];

export const append: Bench = {
  name: 'append',
  describe: 'one more turn of a transcript of 1, 10 and 40 MB',
  async run(context) {
    const { claudeHome, scratch } = context;
    if (claudeHome === null) return 'no Claude Code transcripts';
    const home = join(scratch, 'claude');
    const sessions = SIZES.map((megabytes, index) => {
      const id = `00000000-0000-4000-8000-00000000000${index}`;
      const path = join(home, 'projects', '-home-sam-code-app', `${id}.jsonl`);
      writeLongTranscript(path, id, megabytes, claudeHome);
      return { id, path, megabytes };
    });
    const parts = await openLibrary(join(scratch, 'home'), { claude: [home, claudeHome] });
    await indexWords(parts);
    const taken = await measure(parts, sessions);
    await parts.close();
    return rowsOf(taken);
  },
};

interface Session {
  id: string;
  path: string;
  megabytes: number;
}

interface Taken {
  megabytes: number;
  /**
   * Milliseconds for reading and parsing the new lines, for indexing them, and for updating the session's token row.
   */
  parse: number;
  index: number;
  refresh: number;
}

/** Alternates between sizes, so that load on the machine affects all of them. */
async function measure(parts: Parts, sessions: Session[]): Promise<Taken[]> {
  const times = sessions.map(({ megabytes }) => ({
    megabytes,
    parse: [] as number[],
    index: [] as number[],
    refresh: [] as number[],
  }));
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const [index, session] of sessions.entries()) {
      const text = appendTurn(session.path, session.id, turn);
      const parse = await timed(() =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
      const taken = await indexAppended(parts, session);
      if (turn === 0) continue;
      times[index]?.parse.push(parse);
      times[index]?.index.push(taken.index);
      times[index]?.refresh.push(taken.refresh);
    }
  }
  return times.map(({ megabytes, parse, index, refresh }) => ({
    megabytes,
    parse: median(parse),
    index: median(index),
    refresh: median(refresh),
  }));
}

async function indexAppended(parts: Parts, { path }: Session): Promise<{ index: number; refresh: number }> {
  const file = parts.sources.map((source) => source.inspect(path)).find((found) => found !== null);
  if (!file) throw new Error(`${path} is not found`);
  let refresh = 0;
  const inner = await parts.local();
  const store: LocalStore = {
    ...inner,
    async refresh(signal) {
      let count = 0;
      refresh = await timed(async () => {
        count = await inner.refresh(signal);
      });
      return count;
    },
  };
  const total = await timed(async () => {
    const report = await indexWords(parts, [file], store);
    if (report.indexed !== 1) throw new Error(`${path} was not indexed: ${JSON.stringify(report)}`);
  });
  return { index: total - refresh, refresh };
}

function rowsOf(taken: Taken[]): Row[] {
  const smallest = taken[0];
  return [
    ...taken.map(
      ({ megabytes, index, parse }): Row => ({
        what: `index one more turn of ${megabytes} MB`,
        measured: { value: index, unit: 'ms' },
        floor:
          megabytes === 1 || !smallest
            ? { value: parse, unit: 'ms', label: 'parse the new lines' }
            : { value: smallest.index, unit: 'ms', label: 'that of 1 MB' },
        target: { of: 'measured', most: 50 },
      }),
    ),
    ...taken.map(
      ({ megabytes, refresh }): Row => ({
        what: `… its token row, afterwards (${megabytes} MB)`,
        measured: { value: refresh, unit: 'ms' },
        floor: null,
        target: null,
      }),
    ),
  ];
}
