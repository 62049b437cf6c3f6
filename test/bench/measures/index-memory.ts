import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { writeTextTranscript } from '../data/text-transcript.ts';
import { makeHome, memoryOfCli } from '../processes.ts';

const MEGABYTES = 71;
const SESSION = '7e000000-0000-4000-8000-000000000071';

/** A transcript that is nearly all text, indexed for keyword search. */
export const indexMemory: Bench = {
  name: 'index-memory',
  describe: `peak memory of the first index of a transcript of ${MEGABYTES} MB of pure text`,
  async run({ scratch }) {
    const claude = join(scratch, 'claude');
    writeTextTranscript(
      join(claude, 'projects', '-home-sam-code-app', `${SESSION}.jsonl`),
      SESSION,
      MEGABYTES,
    );
    const home = makeHome(join(scratch, 'home'), { claude });
    const value = memoryOfCli(home, 'index', '--no-embed');
    return [
      {
        what: `peak memory of index, ${MEGABYTES} MB of text`,
        measured: { value, unit: 'MB' },
        floor: null,
        target: { of: 'measured', most: 400 },
      },
    ];
  },
};
