import { join } from 'node:path';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import { addToMemory } from '../../../src/domain/memory/extract/add-to-memory.ts';
import { emptyMemoryState } from '../../../src/domain/memory/extract/memory-state.ts';
import { takeChanges } from '../../../src/domain/memory/extract/take-changes.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import type { Bench } from '../bench.ts';
import { openLibrary } from '../library.ts';
import { alternate, timed } from '../timing.ts';

const TURNS = 5;

export const extractIdeas: Bench = {
  name: 'extract-ideas',
  describe: 'extraction of ideas from the Claude Code corpus, and its keyword indexing',
  async run({ claudeHome, scratch }) {
    if (claudeHome === null) return 'no Claude Code transcripts';
    const sessions = readEvents(claudeHome);
    let round = 0;
    const times = await alternate(
      TURNS,
      () => timed(() => sessions.forEach(extract)),
      async () => {
        round += 1;
        const parts = await openLibrary(join(scratch, `home-${round}`), { claude: [claudeHome] });
        const deps = await parts.indexing();
        const time = await timed(() => indexTranscripts(deps, {}));
        await parts.close();
        return time;
      },
    );
    return [
      {
        what: 'extract ideas and topics, Claude Code corpus',
        measured: { value: times.subject, unit: 'ms' },
        floor: { value: times.floor, unit: 'ms', label: 'keyword indexing' },
        target: { of: 'ratio', most: 0.3 },
      },
    ];
  },
};

interface At {
  event: TranscriptEvent;
  line: number;
}

function readEvents(home: string): At[][] {
  const source = createClaudeSource({ homes: [home] });
  return source.find().map(({ path }) => {
    const events: At[] = [];
    source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event, _, line) => {
      events.push({ event, line });
    });
    return events;
  });
}

function extract(events: At[]): void {
  const state = emptyMemoryState();
  let turn = -1;
  for (const { event, line } of events) {
    if (event.kind === 'message' && event.role === 'user') turn += 1;
    addToMemory(state, event, { turn: Math.max(0, turn), line });
  }
  takeChanges(state);
}
