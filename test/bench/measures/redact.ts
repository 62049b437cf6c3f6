import { join } from 'node:path';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import type { Redactor } from '../../../src/ports/redactor.ts';
import type { Bench, BenchContext } from '../bench.ts';
import { openLibrary } from '../library.ts';
import { alternate, timed } from '../timing.ts';

const TURNS = 5;

/** Redaction may take at most a quarter of keyword indexing: 4/3 of the time without it. */
const MOST = 1.33;

const NO_REDACTOR: Redactor = {
  redact: async (texts) => texts.map(({ text }) => ({ text, rules: [] })),
};

export const redact: Bench = {
  name: 'redact',
  describe: 'indexing by words with redaction and without it',
  async run(context) {
    const { claudeHome, codexHome } = context;
    if (claudeHome === null && codexHome === null) return 'no transcripts';
    let round = 0;
    const index = (redactor?: Redactor) => {
      round += 1;
      return timeIndexing(context, join(context.scratch, `home-${round}`), redactor);
    };
    const times = await alternate(
      TURNS,
      () => index(),
      () => index(NO_REDACTOR),
    );
    return [
      {
        what: 'index both corpora, with redaction',
        measured: { value: times.subject, unit: 'ms' },
        floor: { value: times.floor, unit: 'ms', label: 'without' },
        target: { of: 'ratio', most: MOST },
      },
    ];
  },
};

async function timeIndexing(
  { claudeHome, codexHome }: BenchContext,
  home: string,
  redactor?: Redactor,
): Promise<number> {
  const parts = await openLibrary(home, {
    claude: claudeHome === null ? undefined : [claudeHome],
    codex: codexHome === null ? undefined : [codexHome],
  });
  const deps = await parts.indexing();
  const time = await timed(() => indexTranscripts({ ...deps, redactor: redactor ?? deps.redactor }, {}));
  await parts.close();
  return time;
}
