import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { indexTranscripts } from '../../../src/app/index/index-transcripts.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { writeTextTranscript } from '../../bench/data/text-transcript.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  createWorld,
  indexWorld,
  openWorld,
  searchWorld,
  storedSession,
} from '../../support/machines/world.ts';
import {
  claudePath,
  jsonl,
  line,
  SESSION_ID,
  stampLines,
} from '../../support/transcripts/claude-transcripts.ts';

describe('a transcript that is read in several steps', () => {
  it('gives the same points for a long transcript read in steps as for one that grew', async () => {
    const [atOnce, grown] = [await openLong(), await openLong(0.4)];
    expect(await indexWorld(atOnce.parts)).toMatchObject({ found: 1, indexed: 1, unchanged: 0 });
    await indexWorld(grown.parts);
    writeTextTranscript(grown.path, SESSION_ID, MEGABYTES);
    await indexWorld(grown.parts);
    const stored = await storedSession(atOnce.parts, SESSION_ID);
    const same = await storedSession(grown.parts, SESSION_ID);
    expect(stored?.chunks.length).toBeGreaterThan(500);
    expect(stored?.chunks.map(({ content }) => content)).toEqual(same?.chunks.map(({ content }) => content));
    expect(stored?.intents.map((one) => one.intent_text)).toEqual(
      same?.intents.map((one) => one.intent_text),
    );
    expect(stored?.session.content_hash).toBe(same?.session.content_hash);
    expect(await indexWorld(atOnce.parts)).toMatchObject({ indexed: 0, unchanged: 1 });
  });

  it('continues where an interrupted run stopped between two steps', async () => {
    const { parts } = await openLong();
    const interruption = new AbortController();
    const deps = await parts.indexing();
    const writer = {
      ...deps.writer,
      write: (changes: Parameters<typeof deps.writer.write>[0]) => {
        interruption.abort();
        return deps.writer.write(changes);
      },
    };
    await indexTranscripts({ ...deps, writer }, { signal: interruption.signal });
    const part = await storedSession(parts, SESSION_ID);
    expect(part?.session.bytes).toBeLessThan((MEGABYTES * 1_000_000) / 2);
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
    const whole = await storedSession(parts, SESSION_ID);
    expect(whole?.session.bytes).toBeGreaterThanOrEqual(MEGABYTES * 1_000_000);
    expect(whole?.chunks.slice(0, 5).map(({ content }) => content)).toEqual(
      part?.chunks.slice(0, 5).map(({ content }) => content),
    );
  });

  it('finds a long transcript by the words in its last step', async () => {
    const { parts, path } = await openLong();
    writeFileSync(path, jsonl(stampLines([line.user('the zanzibar valve')], { after: 9000 })), { flag: 'a' });
    await indexWorld(parts);
    const { results } = await searchWorld(parts, 'zanzibar valve');
    expect(results).toMatchObject([{ session_id: SESSION_ID }]);
  });
});

describe('a session that moved to another repository', () => {
  it('updates the repository in all passages of a session that moved', async () => {
    const world = createWorld();
    const [from, to] = [repository('from'), repository('to')];
    const path = claudePath(world.claudeHome, SESSION_ID);
    mkdirSync(join(path, '..'), { recursive: true });
    const first = [line.user('x '.repeat(3000)), line.assistant('y '.repeat(3000))];
    writeFileSync(path, jsonl(stampLines(first, { cwd: from })));
    const parts = await openWorld(world);
    await indexWorld(parts);
    writeFileSync(path, jsonl([{ type: 'relocated', relocatedCwd: to }]), { flag: 'a' });
    await indexWorld(parts);
    const stored = await storedSession(parts, SESSION_ID);
    expect(stored?.session.repo_path).toBe(to);
    const names = new Set([...(stored?.chunks ?? []), ...(stored?.intents ?? [])].map((one) => one.repo_id));
    expect([...names]).toEqual([stored?.session.repo_id]);
  });
});

/** Long enough for three steps. */
const MEGABYTES = 2.5;

async function openLong(megabytes = MEGABYTES): Promise<{ parts: Parts; path: string }> {
  const world = createWorld();
  const path = claudePath(world.claudeHome, SESSION_ID);
  writeTextTranscript(path, SESSION_ID, megabytes);
  return { parts: await openWorld(world), path };
}

function repository(name: string): string {
  const root = tempFolder(name);
  mkdirSync(join(root, '.git'));
  return root;
}
