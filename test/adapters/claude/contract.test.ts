import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { describeTranscriptSource } from '../../contract/transcript-source.ts';
import {
  copyLines,
  FORK_ID,
  FORK_STYLES,
  line,
  SESSION_ID,
  sampleLines,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import { codexText, legacySession } from '../../support/transcripts/codex-transcripts.ts';

for (const style of FORK_STYLES) {
  describeTranscriptSource(`Claude, forks of the style "${style}",`, (home) => {
    const lines = stampLines(sampleLines());
    const own = [line.user('Another way'), line.assistant('Going another way.')];
    const fork = [
      ...copyLines(lines, style, { sessionId: FORK_ID }),
      ...stampLines(own, { sessionId: FORK_ID, after: lines.length }),
    ];
    mkdirSync(home, { recursive: true });
    const foreign = join(home, 'rollout-2026-07-01T11-00-00-019f1000-0000-7000-8000-000000000002.jsonl');
    writeFileSync(foreign, codexText(legacySession()));
    return {
      source: createClaudeSource({ homes: [home] }),
      path: writeClaude(home, SESSION_ID, lines),
      sessionId: SESSION_ID,
      userTexts: ['Please add a thing', 'Naïve — 日本語 🙂'],
      assistantTexts: ['I will add it.', 'Done.'],
      fork: {
        path: writeClaude(home, FORK_ID, fork),
        userTexts: ['Another way'],
        assistantTexts: ['Going another way.'],
      },
      foreign,
    };
  });
}
