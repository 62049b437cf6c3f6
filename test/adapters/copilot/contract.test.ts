import { join } from 'node:path';
import { createCopilotSource } from '../../../src/adapters/copilot/source.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import { copilotSession, ORIGIN, writeRows } from '../../support/transcripts/small-agents.ts';

describeTranscriptSource('Copilot CLI', (home) => ({
  source: createCopilotSource({ homes: [home] }),
  path: writeRows(join(home, 'session-state', ORIGIN, 'events.jsonl'), copilotSession()),
  sessionId: ORIGIN,
  userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
  assistantTexts: ['I will add it.', 'Done.'],
  foreign: writeRows(join(home, 'other.jsonl'), [
    { type: 'user', sessionId: 'x', message: { content: 'hello' } },
  ]),
}));
