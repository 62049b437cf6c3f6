import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import { describeTranscriptSource, type SourceFixture } from '../../contract/transcript-source.ts';
import {
  CHILD_ID,
  codexMeta,
  codexText,
  codexTurn,
  legacy,
  legacySession,
  paginated,
  paginatedSession,
  SESSION_ID,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const FORK_TURN = '019f2000-0001-7000-8000-00000000000b';

describeTranscriptSource('Codex, legacy mode', (home) => {
  const fork = [
    codexMeta(CHILD_ID, { forked_from_id: SESSION_ID }),
    ...legacySession(),
    ...codexTurn(FORK_TURN),
    ...legacy.user('Another way'),
    ...legacy.assistant('Going another way.'),
  ];
  return fixture(home, codexText(legacySession()), codexText(fork));
});

describeTranscriptSource('Codex, paginated mode', (home) => {
  const lines = paginatedSession();
  const fork = [
    codexMeta(CHILD_ID, { forked_from_id: SESSION_ID, forked_from_ordinal_exclusive: lines.length }),
    ...codexTurn(FORK_TURN),
    ...paginated.user('Another way'),
    ...paginated.assistant('Going another way.'),
  ];
  return fixture(home, codexText(lines, 0), codexText(fork, lines.length));
});

function fixture(home: string, session: string, fork: string): SourceFixture {
  mkdirSync(home, { recursive: true });
  const foreign = join(home, 'other.jsonl');
  writeFileSync(foreign, '{"type":"user","message":{"role":"user","content":"hello"},"sessionId":"x"}\n');
  return {
    source: createCodexSource({ homes: [home] }),
    path: writeCodex(home, SESSION_ID, session),
    sessionId: SESSION_ID,
    userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
    assistantTexts: ['I will add it.', 'Done.'],
    fork: {
      path: writeCodex(home, CHILD_ID, fork),
      userTexts: ['Another way'],
      assistantTexts: ['Going another way.'],
    },
    foreign,
  };
}
