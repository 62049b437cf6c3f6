import { join } from 'node:path';
import { createQwenSource } from '../../../src/adapters/qwen/source.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { ORIGIN, qwenSession, writeRows } from '../../support/transcripts/small-agents.ts';

describeTranscriptSource('Qwen Code', (home) => ({
  source: createQwenSource({ homes: [home] }),
  path: writeRows(join(home, 'projects/-home-dev-widgets/chats', `${ORIGIN}.jsonl`), qwenSession()),
  sessionId: ORIGIN,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
  foreign: writeRows(join(home, 'other.jsonl'), [
    { type: 'user', sessionId: 'x', message: { content: 'hello' } },
  ]),
}));
