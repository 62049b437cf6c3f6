import { describe, expect, it } from 'vitest';
import { chainQualities, type ForkLinks, type ForkTree, forkTree } from '../../../src/app/fork/fork-tree.ts';
import { renderChain } from '../../../src/cli/fork/render-chain.ts';
import type { SessionPayload } from '../../../src/domain/point/point.ts';
import {
  chainQuality,
  forkSucceeded,
  type SessionOutcome,
} from '../../../src/domain/search/chain-quality.ts';
import type { SessionFilter } from '../../../src/domain/search/search.ts';
import { ranTests, testsPassed } from '../../../src/domain/session/test-runs.ts';
import type { ForkChoice } from '../../../src/ports/fork-journal.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import type { Ending, TranscriptFile, TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { sessionPayload } from '../../support/transcripts/sample-sessions.ts';
import { machineHere } from './machine.ts';

const good: SessionOutcome = { outcome: 'committed', messageCount: 30, answered: true, tests: null };

describe('chain quality', () => {
  it('counts a fork as successful if it was used, was finished and changed something', () => {
    expect(forkSucceeded(good)).toBe(true);
    expect(forkSucceeded({ ...good, messageCount: 20 })).toBe(false);
    expect(forkSucceeded({ ...good, answered: false })).toBe(false);
    expect(forkSucceeded({ ...good, outcome: 'discussed' })).toBe(false);
    expect(forkSucceeded({ ...good, outcome: 'discussed', tests: 'passed' })).toBe(true);
    expect(forkSucceeded({ ...good, outcome: 'edited', answered: null })).toBe(true);
  });

  it('computes chain quality as the share of forks that succeeded', () => {
    const bad = { ...good, messageCount: 3 };
    expect(chainQuality(good, [good, bad, good, bad])).toBe(0.5);
    expect(chainQuality(good, [bad])).toBe(0);
  });

  it('reads only what may be a fork: in the repository, and not older', async () => {
    const one = { ...sessionPayload({ id: 'one' }), repo_id: 'here', started_at: '2026-05-02T00:00:00.000Z' };
    const fork = {
      ...sessionPayload({ id: 'fork' }),
      parent: { session_id: 'one' },
      message_count: 30,
      outcome: 'committed' as const,
    };
    const asked: SessionFilter[] = [];
    const list = async (filter: SessionFilter) => {
      asked.push(filter);
      return { sessions: [fork], cursor: null };
    };
    const deps = { store: { list } as unknown as PointStore, sources: [], machine: machineHere() };
    expect([...(await chainQualities(deps, [one]))]).toEqual([['one', 1]]);
    expect(asked).toMatchObject([{ repo: { repo_id: 'here' }, since: one.started_at }]);
  });

  it('uses the session’s own outcome if it has no forks', () => {
    const own = (outcome: SessionOutcome['outcome'], tests: SessionOutcome['tests'] = null) =>
      chainQuality({ ...good, outcome, tests }, []);
    expect([own('committed'), own('edited'), own('discussed'), own('empty')]).toEqual([0.9, 0.7, 0.5, 0]);
    expect(own('committed', 'passed')).toBe(1);
    expect(own('edited', 'failed')).toBeLessThan(own('edited'));
  });
});

describe('test runs', () => {
  it('recognizes test runs by their commands', () => {
    for (const command of ['npm test', 'cd x && npx vitest run', 'pytest -q', 'cargo test', 'go test ./...'])
      expect(ranTests(command), command).toBe(true);
    for (const command of ['ls test', 'git commit -m "test"', 'cat latest'])
      expect(ranTests(command), command).toBe(false);
  });

  it('counts a test run as passed unless its output says otherwise', () => {
    expect(testsPassed('Tests 12 passed (12)\n0 failed', false)).toBe(true);
    expect(testsPassed('2 failed, 10 passed', false)).toBe(false);
    expect(testsPassed('10 failing', false)).toBe(false);
    expect(testsPassed('ok', true)).toBe(false);
  });
});

describe('the tree of forks', () => {
  const machine = machineHere();

  it('starts the tree at the oldest known ancestor and contains every fork once', () => {
    const links = linksOf({ b: 'a', c: 'b', d: 'b', a: null });
    const tree = forkTree({ sources: [], machine }, links, 'c');
    expect(shape(tree)).toEqual([
      'a',
      [
        [
          'b',
          [
            ['c', []],
            ['d', []],
          ],
        ],
      ],
    ]);
    expect(shape(forkTree({ sources: [], machine }, links, 'a'))).toEqual(shape(tree));
  });

  it('shows a parent that is not indexed, and survives a cycle', () => {
    expect(forkTree({ sources: [], machine }, linksOf({ b: 'gone' }), 'b')).toMatchObject({
      session_id: 'gone',
      session: null,
      forks: [{ session_id: 'b' }],
    });
    expect(() => forkTree({ sources: [], machine }, linksOf({ a: 'b', b: 'a' }), 'a')).not.toThrow();
  });

  it('contains the forks made here that are not indexed yet', () => {
    const made = (sessionId: string, resultSessionId: string | null) =>
      ({ sessionId, resultSessionId }) as ForkChoice;
    const choices = [made('b', 'new'), made('a', 'b'), made('a', null), made('other', 'x')];
    const tree = forkTree({ sources: [], machine }, linksOf({ a: null, b: 'a' }), 'a', choices);
    expect(shape(tree)).toEqual(['a', [['b', [['new', []]]]]]);
    const look = { columns: 60, color: 0 as const, unicode: true };
    const drawn = renderChain(tree, 'a', look, { nowMs: machine.now() });
    expect(drawn.split('\n').slice(-2)).toEqual(['   └─ new', '         not indexed yet']);
  });

  it('does not count an unused copy as a failure', () => {
    const links = linksOf({ a: null, b: 'a', c: 'a' });
    for (const [id, record] of Object.entries({
      a: { outcome: 'committed' as const, message_count: 40 },
      b: { outcome: 'empty' as const, message_count: 0 },
      c: { outcome: 'empty' as const, message_count: 0 },
    }))
      Object.assign(links.sessions.get(id) ?? {}, record);
    expect(forkTree({ sources: [], machine }, links, 'a')).toMatchObject({
      quality: 0.9,
      forks: [{ succeeded: null }, { succeeded: null }],
    });
    Object.assign(links.sessions.get('c') ?? {}, { outcome: 'committed', message_count: 40 });
    expect(forkTree({ sources: [], machine }, links, 'a').quality).toBe(1);
  });

  it('reads how a session ended that is stored here under a copy’s id', () => {
    const links = linksOf({ 'a@atlas': null });
    const session = links.sessions.get('a@atlas');
    Object.assign(session ?? {}, { machine: machine.name, outcome: 'discussed' });
    const found: Pick<TranscriptSource, 'agent' | 'inspect' | 'facts'> = {
      agent: 'claude',
      inspect: (path) => ({ sessionId: 'a', path }) as TranscriptFile,
      facts: { contextSize: () => null, ending: () => ({ answered: true, tests: 'passed' }) as Ending },
    };
    const quality = (sources: TranscriptSource[]) => forkTree({ sources, machine }, links, 'a@atlas').quality;
    expect([quality([]), quality([found as TranscriptSource])]).toEqual([0.5, 0.6]);
  });

  it('has the star and the note of a session apart from its tags', () => {
    const links = linksOf({ a: null });
    Object.assign(links.sessions.get('a') ?? {}, { tags: ['*note', '*note: Try again', '*star', 'auth'] });
    const { session } = forkTree({ sources: [], machine }, links, 'a');
    expect(session).toMatchObject({ tags: ['auth'], starred: true, note: 'Try again' });
  });

  it('draws the tree with the outcome of each session', () => {
    const links = linksOf({ a: null, b: 'a', c: 'b', d: 'a' });
    const long = links.sessions.get('b');
    if (long) Object.assign(long, { outcome: 'committed', message_count: 40 });
    const tree = forkTree({ sources: [], machine }, links, 'a');
    const look = { columns: 60, color: 0 as const, unicode: true };
    expect(renderChain(tree, 'a', look, { nowMs: machine.now() })).toMatchInlineSnapshot(`
      "a Session a
      │  yesterday · 2 messages · discussed · 2 forks
      ├─ b Session b
      │  │  ✔ yesterday · 40 messages · committed · 1 fork
      │  └─ c Session c
      │        – yesterday · 2 messages · discussed
      └─ d Session d
            – yesterday · 2 messages · discussed"
    `);
  });
});

function linksOf(parents: Record<string, string | null>): ForkLinks {
  const links: ForkLinks = { sessions: new Map(), forks: new Map(), parents: new Map() };
  for (const [id, parent] of Object.entries(parents)) {
    const record: Partial<SessionPayload> = { parent: parent === null ? null : { session_id: parent } };
    const session = sessionPayload({
      id,
      record: { ...record, ended_at: `2026-03-01T1${id.charCodeAt(0) - 97}:00:00.000Z` },
    });
    links.sessions.set(id, session);
    if (parent === null) continue;
    links.forks.set(parent, [...(links.forks.get(parent) ?? []), session]);
    links.parents.set(id, parent);
  }
  return links;
}

type Shape = [string, Shape[]];

function shape(tree: ForkTree): Shape {
  return [tree.session_id, tree.forks.map(shape)];
}
