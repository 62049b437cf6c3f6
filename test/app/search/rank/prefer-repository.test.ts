import { describe, expect, it } from 'vitest';
import { preferredAmong } from '../../../../src/app/search/rank/prefer-repository.ts';
import {
  matchesRepository,
  preferredAround,
  repositoryAround,
} from '../../../../src/app/search/repository-filter.ts';
import type { Parts } from '../../../../src/compose/parts.ts';
import { repoId } from '../../../../src/domain/session/repository.ts';
import type { RepositoryProbe } from '../../../../src/ports/machine.ts';
import { createWorld, indexWorld, openWorld, searchWorld } from '../../../support/machines/world.ts';
import { line, stampLines, writeClaude } from '../../../support/transcripts/claude-transcripts.ts';

const NOW = '2026-08-01T00:00:00.000Z';
const QUERY = 'make the websocket reconnect';
const SHOP = { repo_name: 'web-shop' };

describe('the preferred repository', () => {
  it('decides between nearly equal results by repository, and says so', async () => {
    const parts = await withSessions();
    const without = await searchWorld(parts, QUERY, NOW);
    expect(idsOf(without)).toEqual(['api', 'shop', 'far']);
    expect(gapOf(without)).toBeLessThan(0.05);
    expect(without.preferred).toBeUndefined();
    expect(without.results[0]?.scores.parts).not.toHaveProperty('repository');

    const preferring = await searchWorld(parts, { query: QUERY, prefer: SHOP }, NOW);
    expect(idsOf(preferring)).toEqual(['shop', 'api', 'far']);
    expect(preferring.preferred).toBe('web-shop');
    expect(preferring.results[0]?.scores).toMatchObject({
      parts: { repository: 1 },
      weights: { repository: 0.05 },
    });
    expect(preferring.results[1]?.scores.parts.repository).toBe(0);
  });

  it('does not prefer a repository over a clearly better result, or mention it then', async () => {
    const parts = await withSessions();
    const found = await searchWorld(parts, { query: QUERY, prefer: { repo_name: 'far-away' } }, NOW);
    expect(idsOf(found)).toEqual(['api', 'shop', 'far']);
    expect(found.preferred).toBeUndefined();
  });

  it('brings a preferred session in that the limit would have cut off', async () => {
    const parts = await withSessions();
    const found = await searchWorld(parts, { query: QUERY, prefer: SHOP, limit: 1 }, NOW);
    expect(idsOf(found)).toEqual(['shop']);
    expect(found.preferred).toBe('web-shop');
  });

  it('prefers a repository by path as by the id that stores compare, also for records without a path', () => {
    const roots = ['/code/shop', '/Code/Shop/', 'C:\\code\\shop', 'c:/code/shop', '/code/shop-2', '/'];
    const remotes = [null, 'git@example.com:me/shop.git', '/srv/shop.git'];
    const sessions = roots.flatMap((path) =>
      [null, 'example.com/me/shop'].flatMap((repo_key) => {
        const session = { repo_id: repoId(path), repo_key, repo_name: 'shop' };
        return [
          { ...session, repo_path: path },
          { ...session, repo_path: '' },
        ];
      }),
    );
    let same = 0;
    for (const root of roots) {
      for (const remoteUrl of remotes) {
        const probe: RepositoryProbe = () => ({ root, remoteUrl });
        const [byPath, byId] = [preferredAround(root, probe), repositoryAround(root, probe)];
        if (byPath === null || byId === null) throw new Error('no repository');
        const matchedBy = (filter: typeof byPath) => sessions.map((one) => matchesRepository(filter, one));
        expect(matchedBy(byPath)).toEqual(matchedBy(byId));
        same += matchedBy(byPath).filter(Boolean).length;
      }
    }
    expect(same).toBeGreaterThan(0);
    expect(preferredAround('/tmp', () => null)).toBeNull();
  });

  it('does not make a result more certain by preferring its repository', async () => {
    const parts = await withSessions();
    const without = certainties(await searchWorld(parts, QUERY, NOW));
    expect(certainties(await searchWorld(parts, { query: QUERY, prefer: SHOP }, NOW))).toEqual(without);
  });

  it('prefers no repository in a search restricted to one, by filter or in words', async () => {
    const parts = await withSessions();
    const filtered = await searchWorld(
      parts,
      { query: QUERY, prefer: SHOP, filter: { repo: { repo_name: 'api' } } },
      NOW,
    );
    const said = await searchWorld(parts, { query: `${QUERY} in the api repo`, prefer: SHOP }, NOW);
    for (const { results, preferred } of [filtered, said]) {
      expect(results.map(({ session_id }) => session_id)).toEqual(['api']);
      expect(results[0]?.scores.parts).not.toHaveProperty('repository');
      expect(preferred).toBeUndefined();
    }
  });
});

type Response = Awaited<ReturnType<typeof searchWorld>>;

function idsOf({ results }: Response): string[] {
  return results.map(({ session_id }) => session_id);
}

function gapOf({ results: [first, second] }: Response): number {
  return (first?.score ?? 0) - (second?.score ?? 0);
}

function certainties({ results }: Response): Record<string, number | null> {
  return Object.fromEntries(results.map(({ session_id, certainty }) => [session_id, certainty]));
}

/** Two sessions that match almost equally, the other repository's slightly better, and one that hardly matches. */
async function withSessions(): Promise<Parts> {
  const world = createWorld();
  const add = (id: string, cwd: string, prompt: string) =>
    writeClaude(
      world.claudeHome,
      id,
      stampLines([line.user(prompt), line.assistant('Done.')], { sessionId: id, cwd }),
    );
  add('api', '/home/dev/api', 'Make the websocket reconnect after a break');
  add('shop', '/home/dev/web-shop', 'Make the websocket reconnect after a break today');
  add('far', '/home/dev/far-away', 'Draw the charts, make them green, then write the notes of the release');
  const parts = await openWorld(world);
  await indexWorld(parts);
  return parts;
}

it('names the preferred repository only if the preference changed the results', () => {
  const result = (session_id: string, score: number, repository: number) => ({
    session_id,
    score,
    best: { chunkByWords: null, chunkByVector: null, intent: null },
    scores: { parts: { repository }, weights: { repository: 0.05 } },
  });
  const names = new Map([['here', 'pump']]);
  const other = result('other', 1, 0);
  expect(preferredAmong([result('here', 1.04, 1), other], 5, names)).toBe('pump');
  expect(preferredAmong([result('here', 1.9, 1), other], 5, names)).toBeUndefined();
  expect(preferredAmong([other, result('here', 0.9, 1)], 5, names)).toBeUndefined();
});
