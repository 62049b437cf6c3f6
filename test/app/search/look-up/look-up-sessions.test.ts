import { describe, expect, it } from 'vitest';
import { createWorld, indexWorld, openWorld, searchWorld } from '../../../support/machines/world.ts';
import {
  bashPair,
  type ClaudeLine,
  line,
  stampLines,
  toolPair,
  writeClaude,
} from '../../../support/transcripts/claude-transcripts.ts';

const NOW = '2026-08-01T00:00:00.000Z';
const ID = '8402b1ed-99dc-417d-86a9-36a1478036dc';

const SESSIONS: Record<string, ClaudeLine[]> = {
  [ID]: [
    line.user('Draw the charts'),
    ...bashPair('git commit -m "Draw charts"', '[main 7e57ed01] Draw charts\n 1 file changed\n', 'made'),
    ...bashPair('git commit --amend --no-edit', '[main 0f9e02bd] Draw charts\n 1 file changed\n', 'amended'),
  ],
  talk: [
    line.user('What does commit 0f9e02bd do, and why 8402b1ed? See also #12 and charts charts charts.'),
    line.assistant('It draws charts.'),
  ],
  review: [
    line.user('Answer the review of pull request 12: TypeError: charts is not iterable. It is in charts.ts.'),
    ...toolPair('Edit', { file_path: '/home/dev/widgets/src/charts.ts' }, 'ok'),
  ],
};

describe('a query that names something', () => {
  it.each([
    ['0f9e02bd', ID, 'commit 0f9e02bd: Draw charts'],
    [`charts 0f9e02bd${'1'.repeat(32)}`, ID, 'commit 0f9e02bd: Draw charts'],
    ['commit 7e57ed01', ID, 'commit 7e57ed01, now 0f9e02bd: Draw charts'],
    ['8402b1ed', ID, 'session 8402b1ed'],
    ['8402b1ed-99dc', ID, 'session 8402b1ed-99dc'],
    ['src/charts.ts:12', 'review', 'file src/charts.ts'],
    ['TypeError: charts is not iterable', 'review', 'the same error line'],
  ])('finds the named session first, with certainty: %s', async (query, id, found_by) => {
    const { results, confidence } = await searchAll(query);
    expect(results[0]).toMatchObject({ session_id: id, found_by, recommended: true });
    expect(confidence).toBe(100);
  });

  const MERGE = '7acea0413e4eb9f648ff17a376385fa32ab9b99a';
  const MERGED = {
    whole: [line.user('Merge the charts'), line.assistant(`Merged. Merge commit: \`${MERGE}\``)],
    other: [line.user('Draw the charts'), line.assistant('Drawn, as 7acea04ffff says, and as 1234567.')],
  };

  it.each([
    [MERGE, 'whole'],
    [MERGE.slice(0, 7), 'whole'],
    [`commit ${MERGE.slice(0, 12)}`, 'whole'],
    ['7acea04ffff3e4eb9f648ff17a376385fa32ab9b', 'other'],
    ['commit 1234567', 'other'],
  ])('finds the session that names a commit that none made, as a likely one: %s', async (query, id) => {
    const { results } = await searchAll(query, { sessions: MERGED });
    expect(results[0]).toMatchObject({
      session_id: id,
      found_by: `commit ${query.replace('commit ', '')}, named in it`,
    });
    // It may have read the name in a list of commits.
    expect(results[0]).toMatchObject({
      recommended: false,
      strength: query.length > 7 ? 'likely' : expect.anything(),
    });
  });

  it('shares the confidence among several named sessions, and lists other results after them', async () => {
    const { results, confidence } = await searchAll('charts of PR 12');
    expect(results.map(({ found_by }) => found_by)).toEqual([
      'pull request 12',
      'pull request 12',
      undefined,
    ]);
    expect(results[0]?.recommended).toBe(false);
    expect(confidence).toBe(50);
  });

  it('does not find another repository’s pull request by URL', async () => {
    const found = async (query: string) =>
      (await searchAll(query)).results.filter(({ found_by }) => found_by !== undefined);
    expect(await found('https://github.com/dev/widgets/pull/12')).toHaveLength(2);
    expect(await found('https://github.com/other/gadgets/pull/12')).toEqual([]);
  });

  it('takes a single digit for a pull request only where it is called one', async () => {
    const { results } = await searchAll('pull request 3', {
      sessions: {
        steps: [line.user('Do step #3, then the charts. Optimization #3 comes last.')],
        pull: [line.user('Answer the review of PR #3 about charts')],
      },
    });
    const found = results.flatMap(({ session_id, found_by }) => (found_by === undefined ? [] : [session_id]));
    expect(found).toEqual(['pull']);
  });

  it('obeys filters, and names nothing with literal', async () => {
    const excluded = await searchAll('0f9e02bd', { exclude: [ID] });
    expect(excluded.results.map(({ session_id, found_by }) => [session_id, found_by])).toEqual([
      ['talk', 'commit 0f9e02bd, named in it'],
    ]);
    const literal = await searchAll('0f9e02bd', { literal: true });
    expect(literal.results.every(({ found_by }) => found_by === undefined)).toBe(true);
  });
});

it('is sure of no session by single letters and digits', async () => {
  const sessions = {
    letters: [line.user('Set n to 2, and n again to 2: n is 2')],
    other: [line.user('Draw it')],
  };
  const { results, confidence } = await searchAll('n 2', { sessions });
  expect(results[0]).toMatchObject({ session_id: 'letters', recommended: false });
  expect(confidence).toBeLessThan(50);
});

async function searchAll(
  query: string,
  {
    sessions = SESSIONS,
    ...options
  }: { exclude?: string[]; literal?: boolean; sessions?: typeof SESSIONS } = {},
) {
  const world = createWorld();
  for (const [id, lines] of Object.entries(sessions))
    writeClaude(world.claudeHome, id, stampLines(lines, { sessionId: id }));
  const parts = await openWorld(world);
  await indexWorld(parts);
  return searchWorld(parts, { query, ...options }, NOW);
}
