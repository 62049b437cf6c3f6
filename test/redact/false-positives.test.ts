import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createClaudeSource } from '../../src/adapters/claude/claude-source.ts';
import { createRedactor } from '../../src/adapters/secretlint/create-redactor.ts';
import { redactJsonLines } from '../../src/app/redact-json-lines.ts';
import { scanSecrets } from '../../src/app/scan-secrets.ts';
import type { TranscriptEvent } from '../../src/domain/transcript-event.ts';
import { INNOCENT } from './innocent.ts';

const HOME = ['../shared', '../../shared'].map((path) => resolve(path, 'corpora/claude')).find(existsSync);

test('leaves alone what stands beside a telling name and is no secret', async () => {
  const redactions = await createRedactor().redact(INNOCENT.map((text) => ({ text })));
  expect(redactions.map(({ text }) => text)).toEqual(INNOCENT);
});

test.skipIf(HOME === undefined)('takes nothing out of transcripts that hold no secrets', async () => {
  const source = createClaudeSource({ homes: [HOME ?? ''] });
  const redactor = createRedactor();
  const report = await scanSecrets({ sources: [source], redactor }, {});
  const megabytes = indexableLength(source) / 1e6;
  const found = report.sessions.reduce((sum, { total }) => sum + total, 0);
  console.log(
    `false positives: ${(found / megabytes).toFixed(2)} per MB of ${megabytes.toFixed(2)} MB indexed text`,
  );
  expect(found / megabytes).toBeLessThanOrEqual(5);

  const largest = source.find().toSorted((a, b) => b.size - a.size)[0]?.path ?? join(HOME ?? '', 'none');
  const bytes = readFileSync(largest);
  const { rules } = await redactJsonLines(bytes, redactor);
  console.log(
    `and ${rules.length} in the ${(bytes.length / 1e6).toFixed(1)} MB of the largest transcript's lines`,
  );
});

function indexableLength(source: ReturnType<typeof createClaudeSource>): number {
  let length = 0;
  const count = (event: TranscriptEvent) => {
    if (event.kind === 'message' || event.kind === 'title') length += event.text.length;
  };
  for (const { path } of source.find()) {
    source.read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, count);
  }
  return length;
}
