import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { redactJsonLines } from '../../../src/app/privacy/redact-json-lines.ts';
import { scanSecrets } from '../../../src/app/privacy/scan-secrets.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import { everyNth } from '../../support/campaign.ts';
import { findShared } from '../../support/files/find-shared.ts';
import { INNOCENT } from './innocent.ts';

const HOME = findShared('corpora', 'claude') ?? undefined;

it('keeps innocent values next to names like "password"', async () => {
  const redactions = await createRedactor().redact(INNOCENT.map((text) => ({ text })));
  expect(redactions.map(({ text }) => text)).toEqual(INNOCENT);
});

it.skipIf(HOME === undefined)('redacts nothing in real transcripts without secrets', async () => {
  const source = createClaudeSource({ homes: [HOME ?? ''] });
  const redactor = createRedactor();
  const report = await scanSecrets({ sources: [source], redactor }, {});
  const megabytes = indexableLength(source) / 1e6;
  const found = report.sessions.reduce((sum, { total }) => sum + total, 0);
  console.log(
    `false positives: ${(found / megabytes).toFixed(2)} per MB of ${megabytes.toFixed(2)} MB indexed text`,
  );
  expect(found / megabytes).toBeLessThanOrEqual(5);
});

it.skipIf(HOME === undefined)('redacts nothing in whole lines of real transcripts', async () => {
  const redactor = createRedactor();
  const homes = [HOME ?? ''];
  const sources = [
    createClaudeSource({ homes }),
    createCodexSource({ homes: [join(HOME ?? '', '../codex')] }),
  ];
  const paths = sources.flatMap((source) => source.find().map(({ path }) => path)).toSorted();
  const found = new Map<string, number>();
  let megabytes = 0;
  for (const path of everyNth(12, paths)) {
    const bytes = readFileSync(path);
    megabytes += bytes.length / 1e6;
    const { rules } = await redactJsonLines(bytes, redactor);
    for (const rule of rules) found.set(rule, (found.get(rule) ?? 0) + 1);
  }
  const byRule = [...found].map(([rule, count]) => `${rule} ${(count / megabytes).toFixed(2)}`);
  console.log(
    `whole lines, ${megabytes.toFixed(1)} MB, found per MB: ${byRule.join(', ') || 'nothing by any rule'}`,
  );
  const total = [...found.values()].reduce((sum, count) => sum + count, 0);
  expect(total / megabytes).toBeLessThanOrEqual(1);
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
