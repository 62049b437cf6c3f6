import { describe, expect, it } from 'vitest';
import { findLost } from '../../../src/app/compaction/find-lost.ts';
import { findTranscript } from '../../../src/app/sessions/find-session.ts';
import { estimateTokens } from '../../../src/domain/text/tokens.ts';
import { createWorld, openWorld } from '../../support/machines/world.ts';
import {
  type ClaudeLine,
  line,
  SESSION_ID,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';

const BEFORE = [
  line.user('Please use exponential backoff with jitter for every websocket reconnect'),
  line.assistant('I will.'),
  line.user('And never store passwords of customers in plain cookies'),
  line.assistant('Understood.'),
];
const compacted = (summary: string): ClaudeLine[] => [
  line.compactBoundary(),
  line.compactSummary(summary),
  line.user('Go on with something entirely different afterwards'),
  line.assistant('Gladly.'),
];

describe('findLost', () => {
  it('lists what the summary does not contain, but not what it contains or what came later', async () => {
    const { topics, compacted: was } = await lost([
      ...BEFORE,
      ...compacted('The user wants exponential backoff with jitter for websocket reconnects.'),
    ]);
    expect(was).toBe(true);
    const lines = topics.flatMap((topic) => topic.lines);
    expect(lines.map(({ text }) => text).join('\n')).toContain('never store passwords of customers');
    expect(JSON.stringify(lines)).not.toMatch(/backoff|something entirely different/);
    expect(lines.every(({ turn }) => turn === 2)).toBe(true);
  });

  it('considers the last compaction and everything said before it', async () => {
    const { topics } = await lost([
      ...BEFORE,
      ...compacted('Backoff with jitter, exponential, for websocket reconnects.'),
      ...compacted('Nothing much.'),
    ]);
    const text = JSON.stringify(topics);
    for (const said of ['backoff', 'passwords', 'entirely different']) expect(text).toContain(said);
  });

  it('stays within the budget, and counts what it leaves out', async () => {
    const many = Array.from({ length: 60 }, (_, at) => [
      line.user(`Remember walrus${at} together with quokka${at} and narwhal${at} forever`),
      line.assistant('Yes.'),
    ]).flat();
    const { topics, left_out } = await lost([...many, ...compacted('Animals.')], 300);
    expect(left_out).toBeGreaterThan(40);
    expect(
      estimateTokens(topics.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n')),
    ).toBeLessThan(300);
  });

  it('lists everything important if the transcript does not show the summary', async () => {
    const found = await lost([...BEFORE, line.compactBoundary(), line.user('Go on'), line.assistant('Ok.')]);
    expect(found).toMatchObject({ compacted: true, readable: false });
    expect(JSON.stringify(found.topics)).toContain('exponential backoff');
  });

  it('finds nothing in a conversation that was never compacted', async () => {
    expect(await lost(BEFORE)).toMatchObject({ compacted: false, topics: [], left_out: 0 });
  });

  it('redacts secrets in lost lines', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'.slice(0, 36)}`;
    const asked = line.user(`Authenticate against the staging gateway using ${secret} henceforth`);
    expect(
      JSON.stringify(await lost([asked, line.assistant('Ok.'), ...compacted('Nothing.')])),
    ).not.toContain(secret);
  });
});

async function lost(lines: ClaudeLine[], maxTokens = 2000) {
  const world = createWorld();
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines));
  const parts = await openWorld(world);
  const file = findTranscript(parts.sources, SESSION_ID);
  const source = parts.sources.find(({ agent }) => agent === 'claude');
  if (file === null || source === undefined) throw new Error('no transcript');
  return findLost(parts, { source, file, maxTokens });
}
