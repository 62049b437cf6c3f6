import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTimeLimits } from '../../../src/adapters/system/time-limits.ts';
import type { IndexDependencies } from '../../../src/app/index/index-run.ts';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import { createWorld, openWorld } from '../../support/machines/world.ts';
import {
  jsonl,
  line,
  SESSION_ID,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

const OTHER = SESSION_ID.replace(/^.{8}/, '99999999');
const hang = (): never => {
  for (;;) /^(?:a+)+$/.test(`${'a'.repeat(40)}!`);
};

/** Two sessions, and what indexing needs; each session may take a second. */
async function twoSessions() {
  const world = createWorld();
  const path = writeClaude(
    world.claudeHome,
    SESSION_ID,
    stampLines([line.user('turn the turbine')], { cwd: '/gone/slow' }),
  );
  writeClaude(world.claudeHome, OTHER, stampLines([line.user('open the valve')]));
  const parts = await openWorld(world);
  const limits = createTimeLimits();
  const deps: IndexDependencies = { ...(await parts.indexing()), startLimit: () => limits(1000) };
  return { path, deps };
}

describe('a session that never ends', () => {
  it.each<[string, (deps: IndexDependencies, path: string) => IndexDependencies]>([
    [
      'reading its transcript',
      (deps, path) => ({
        ...deps,
        sources: deps.sources.map((source) => ({
          ...source,
          read: (given, ...more) => (given === path ? hang() : source.read(given, ...more)),
        })),
      }),
    ],
    [
      'its repository',
      (deps) => ({ ...deps, probe: (folder) => (folder.endsWith('slow') ? hang() : deps.probe(folder)) }),
    ],
    [
      'its redaction',
      (deps) => ({
        ...deps,
        redactor: {
          redact: (texts, limit) =>
            texts.some(({ text }) => text.includes('turbine')) && limit !== undefined
              ? limit.run(hang)
              : deps.redactor.redact(texts, limit),
        },
      }),
    ],
  ])('is counted as failed, and the rest goes on: %s', { timeout: 60_000 }, async (_, slowed) => {
    const { path, deps } = await twoSessions();
    const slow = slowed(deps, path);
    expect(await indexTranscripts(slow, {})).toMatchObject({
      indexed: 1,
      failed: [{ path, reason: expect.stringContaining('took longer than') }],
    });
    expect(await indexTranscripts(slow, {})).toMatchObject({ failed: [], unchanged: 2 });
    appendFileSync(path, jsonl(stampLines([line.user('and the pump')], { after: 1 })));
    expect(await indexTranscripts(deps, {})).toMatchObject({ failed: [], indexed: 1, unchanged: 1 });
  });
});

describe('a time limit', () => {
  it('counts the time of all its calls, and no other time', async () => {
    const limit = createTimeLimits()(400);
    expect(limit.run(() => 'done')).toBe('done');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(limit.run(() => undefined)).toBeUndefined();
    expect(limit.isOver()).toBe(false);
    expect(() => limit.run(hang)).toThrow('took longer than');
    expect(limit.isOver()).toBe(true);
    expect(() => limit.run(() => 'more')).toThrow('took longer than');
  });

  it('passes on what the work throws', () => {
    const work = () => {
      throw new RangeError('x');
    };
    expect(() => createTimeLimits()(1000).run(work)).toThrow(RangeError);
  });
});
