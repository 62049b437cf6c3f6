import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toySession, writeNotebook } from '../support/toy/notebook.ts';
import { createToySource } from '../support/toy/toy-source.ts';
import { describeTranscriptSource } from './transcript-source.ts';

const ORIGIN = '5e551000-0000-4000-8000-000000000001';
const FORK = '5e551000-0000-4000-8000-000000000002';

describeTranscriptSource(
  'A toy agent with one JSON document',
  (home) => {
    const origin = toySession(ORIGIN, [
      { role: 'user', text: 'Please add a thing' },
      {
        role: 'assistant',
        text: 'I will add it.',
        edits: ['src/a.ts'],
        runs: ['npm test'],
        commit: { hash: 'abc1234', subject: 'Add a thing' },
      },
      { role: 'user', text: 'Naïve — 日本語 🙂' },
      { role: 'assistant', text: 'Done.' },
    ]);
    const fork = toySession(FORK, [
      ...origin.messages,
      { role: 'user', text: 'Another way' },
      { role: 'assistant', text: 'Going another way.' },
    ]);
    fork.parent = { id: ORIGIN, copied: origin.messages.length };
    const path = writeNotebook(home, { sessions: [origin, fork] });
    const foreign = join(home, 'notes.json');
    writeFileSync(foreign, '{"sessions":[]}');
    return {
      source: createToySource({ homes: [home] }),
      path: `${path}#${ORIGIN}`,
      sessionId: ORIGIN,
      userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
      assistantTexts: ['I will add it.', 'Done.'],
      fork: {
        path: `${path}#${FORK}`,
        userTexts: ['Another way'],
        assistantTexts: ['Going another way.'],
      },
      foreign,
    };
  },
  { inLines: false },
);
