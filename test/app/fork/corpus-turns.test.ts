import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import { collectTurns, eventsOf } from '../../../src/app/sessions/read-conversation.ts';
import { isPrompt } from '../../../src/domain/session/transcript-event.ts';
import type { TranscriptFile, TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { findShared } from '../../support/files/find-shared.ts';

const corpora = findShared('corpora');

function turnsOf(source: TranscriptSource, { path }: TranscriptFile) {
  return collectTurns(eventsOf(source, path, [])).turns;
}

describe.skipIf(corpora === null)('the turns of real transcripts', () => {
  const origin = createClaudeSource({ homes: [join(corpora ?? '', 'claude')] });
  const sources = [origin, createCodexSource({ homes: [join(corpora ?? '', 'codex')] })];

  it('never go back in time without a branch, and no message is a prompt twice', () => {
    for (const source of sources) {
      for (const file of source.find()) {
        const turns = turnsOf(source, file).filter(({ user, rewound }) => user !== '' && rewound !== true);
        const times = turns.flatMap(({ timestamp }) => timestamp ?? []);
        expect(times, file.path).toEqual(times.toSorted());
        const ids = eventsOf(source, file.path, []).flatMap((one) =>
          isPrompt(one) && one.uuid ? [one.uuid] : [],
        );
        expect(new Set(ids).size, file.path).toBe(ids.length);
      }
    }
  });

  it('are never notices of the program', () => {
    for (const file of origin.find())
      for (const { user } of turnsOf(origin, file))
        expect(user).not.toMatch(/^(?:<task-notification|Read the output file to retrieve|\{"task_id")/);
  });
});
