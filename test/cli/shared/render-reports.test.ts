import { describe, expect, it } from 'vitest';
import type { SessionTurns } from '../../../src/app/read/view-session.ts';
import { renderIndexSummary } from '../../../src/cli/index/render-index-summary.ts';
import { renderHead, renderTurns } from '../../../src/cli/read/render-session.ts';
import { renderSessions } from '../../../src/cli/read/render-sessions.ts';
import { renderStats } from '../../../src/cli/search/render-stats.ts';
import { renderDoctor } from '../../../src/cli/setup/render-doctor.ts';
import { renderError } from '../../../src/cli/shared/render-error.ts';
import type { Look } from '../../../src/cli/terminal/ink.ts';
import { displayWidth } from '../../../src/cli/terminal/width.ts';
import { SmartForkError } from '../../../src/domain/errors.ts';
import { sumUnread } from '../../../src/domain/session/unread.ts';
import { randomText } from '../../support/random-text.ts';
import { NOW, plainLook } from '../../support/render/samples.ts';
import {
  doctorChecks,
  indexSummary,
  sessionCard,
  sessionCards,
  sessionView,
  statsReport,
} from '../../support/render/session-samples.ts';

const at = { nowMs: NOW };

describe('renderSessions', () => {
  it('aligns rows of sessions, even with wide characters', () => {
    expect(renderSessions(sessionCards, plainLook(), at)).toBe(
      `id        when         repository        title
8402b1ed  2 weeks ago  mortgage-coach    Real-time token usage dashboard
3a850835  yesterday    billing-api-wit…  Token usage field is missing from the…
e6b158a2  Nov 4, 2025  ダッシュボード    実時間ダッシュボードの設計 🚀`,
    );
  });

  it('uses two lines per session in a narrow terminal', () => {
    expect(renderSessions(sessionCards.slice(0, 1), plainLook(45), at)).toBe(
      `Real-time token usage dashboard
  8402b1ed · mortgage-coach · 2 weeks ago
  87 messages`,
    );
  });

  it('shows more columns in a wide terminal', () => {
    expect(renderSessions(sessionCards.slice(1, 2), plainLook(200), at).split('\n')[1]).toBe(
      '3a850835  yesterday  billing-api-with-a-…  fix/registration-fi…  edited   Codex on work-desktop  1,204  ' +
        'Token usage field is missing from the registration form, and the tests that should have noticed…',
    );
  });

  it('marks a fork, with the session that it is of', () => {
    const cards = sessionCards.slice(0, 1).map((card) => ({
      ...card,
      title: '+ raise the limit',
      parent_session_id: '3a850835-0000-4000-8000-000000000000',
    }));
    const look = { ...plainLook(100), nameOf: () => 'Limit logins' };
    expect(renderSessions(cards, look, at)).toContain('⑂ raise the limit (of 3a850835 Limit logins)');
  });

  it('says that there are no sessions', () =>
    expect(renderSessions([], plainLook(), at)).toBe('No sessions.'));
});

describe('renderSession', () => {
  it("shows a session's facts, commands and turns", async () => {
    expect(await renderSession(sessionView(), plainLook(), at)).toBe(
      `Real-time token usage dashboard
Session     8402b1ed-99dc-417d-86a9-36a1478036dc
Agent       Claude 2.1.329 claude-opus-4-5
Machine     laptop
Repository  mortgage-coach (github.com/acme/mortgage-coach)
Branch      main
Folder      /home/ada/mortgage-coach
When        Jan 20, 2026 09:00 to 11:03 (2 weeks ago, 2 h 3 min)
Messages    87 (31 by you, 56 by the agent), 140 tool calls
Outcome     committed
Commits     a1b2c3d4 Add usage cards
Files       src/cards.tsx, src/usage.ts
Markers     reusable pattern
Tags        #dashboard
Transcript  /home/ada/.claude/projects/-home-ada-mortgage-coach/8402b1ed.jsonl
            (1.2 MB)

Fork it:
cd /home/ada/mortgage-coach && claude --resume 8402b1ed-99dc-417d-86a9-36a1478036dc --fork-session

Resume it:
cd /home/ada/mortgage-coach && claude --resume 8402b1ed-99dc-417d-86a9-36a1478036dc

── turn 1 · Jan 20, 2026 09:00 ─────────────────────────────────────────────────
You
  Add real-time token usage cards to the dashboard, one for each session that is
  open.
Agent
  I read the log first:

      const usage = readUsage(log);

  Then each card subscribes to it.
  tools: Read, Edit ×2, Bash
  files: src/cards.tsx

── turn 2 · 09:12 ──────────────────────────────────────────────────────────────
You
  Good. Commit it.`,
    );
  });

  it('omits unknown facts, and commands that do not work here', async () => {
    const view = sessionView({
      branch: null,
      repo_key: null,
      commits: [],
      tags: [],
      markers: [],
      model: null,
    });
    const text = await renderSession(
      { ...view, local: false, fork: null, resume: null, turns: [] },
      plainLook(),
      at,
    );
    expect(text).toContain('Machine     laptop (the transcript is not here)');
    expect(text).not.toMatch(/Branch|Commits|Tags|Markers|Fork it|null|undefined/);
  });

  it('shows no time for a turn without one', async () => {
    const view = sessionView();
    const turns = view.turns.map((turn) => ({ ...turn, timestamp: null }));
    expect(await renderSession({ ...view, turns }, plainLook(), at)).toMatch(/^── turn 1 ─+$/m);
  });
});

describe('renderStats', () => {
  it('shows statistics as counts and bars', () => {
    expect(renderStats(statsReport(), plainLook(60), at)).toBe(
      `Sessions     342
Passages     18,157
Vectors      12,000; 6,157 passages not embedded yet
Model        nomic-ai/nomic-embed-text-v1.5
Store        sqlite, 81.2 MB, /home/ada/.smart-fork/index.db
Archive      340 transcripts (812 MB) in 121 MB of 2.0 GB
Last synced  2 minutes ago

Sessions by repository
  mortgage-coach  200  █████████████████████████████████████
  ダッシュボード  101  ██████████████████▋
  billing-api      41  ███████▋

Sessions by month
  2025-12  102  ██████████████████▊
  2026-01  240  ████████████████████████████████████████████

Sessions by agent
  claude  300  █████████████████████████████████████████████
  codex    42  ██████▎`,
    );
  });

  it('sums up rows of statistics that do not fit', () => {
    const by_repo = Array.from({ length: 20 }, (_, i) => ({ value: `repo-${i}`, count: 100 - i }));
    const text = renderStats(statsReport({ by_repo }), plainLook(80, false), at);
    expect(text).toContain('repo-11');
    expect(text).not.toContain('repo-12');
    expect(text).toMatch(/8 others {2}676 {2}#+/);
  });

  it('shows the statistics of an empty store', () => {
    const empty = { sessions: 0, chunks: 0, intents: 0, vectors: 0, by_repo: [], by_month: [], by_agent: [] };
    const text = renderStats(statsReport({ ...empty, last_synced: null }), plainLook(), at);
    expect(text).toContain('Last synced  never');
    expect(text).not.toContain('Sessions by');
  });

  it.each([
    [30_000, 'just now'],
    [3 * 60_000, 'in the last 3 minutes'],
    [3_600_000, 'in the last hour'],
    [5 * 86_400_000, 'in the last 5 days'],
  ])('says since when searches are counted: %d ms', (age, words) => {
    const searches = {
      since: new Date(NOW - age).toISOString(),
      searches: 15,
      nothing_found: 2,
      forks: 3,
      first_taken: 1,
    };
    const text = renderStats(statsReport(), plainLook(), { ...at, searches });
    expect(text).toContain(`15 ${words}; 2 found nothing that fits`);
  });
});

describe('renderDoctor', () => {
  it('shows a fix for each problem that doctor finds', () => {
    expect(renderDoctor(doctorChecks, plainLook())).toBe(
      `✔ Node         20.19.0
✔ Store        /home/ada/.smart-fork/index.db, 342 sessions
▲ Model        nomic-ai/nomic-embed-text-v1.5 is not installed, so search goes
               by words only
               → smart-fork model pull
✖ Claude hook  new sessions are not indexed by themselves
               → smart-fork hook install

1 problem, 1 warning`,
    );
  });

  it('reports that doctor found no problem', () => {
    expect(renderDoctor(doctorChecks.slice(0, 1), plainLook(80, false))).toBe('+ Node  20.19.0\n\nAll good.');
  });
});

describe('renderIndexSummary', () => {
  it('prints one line if indexing succeeded', () => {
    expect(renderIndexSummary(indexSummary(), plainLook())).toBe(
      '✔ Indexed 47 of 342 transcripts in 8.2 s.\n  293 unchanged',
    );
    expect(renderIndexSummary(indexSummary({ indexed: 0, unchanged: 342, took_ms: 80 }), plainLook())).toBe(
      '✔ Nothing new: 342 transcripts unchanged (80 ms).',
    );
    expect(renderIndexSummary(indexSummary({ found: 0, indexed: 0, unchanged: 0 }), plainLook())).toBe(
      '✔ No transcripts found. Nothing to index.',
    );
  });

  it('reports skipped, failed and not yet embedded items', () => {
    const summary = indexSummary({
      failed: [{ path: '/home/ada/a.jsonl', reason: 'permission denied' }],
      unread: sumUnread([
        { path: '/home/ada/b.jsonl', reason: 'not JSON', count: 2 },
        { path: '/home/ada/c.backup.jsonl', reason: 'copy', count: 1 },
      ]),
      waiting: { intents: 3, chunks: 1200 },
      interrupted: true,
    });
    expect(renderIndexSummary(summary, plainLook())).toBe(
      `▲ Stopped early. Run the command again to continue.
✔ Indexed 47 of 342 transcripts in 8.2 s.
  293 unchanged
  not read: 2 lines that are not JSON, in 1 file: /home/ada/b.jsonl
  not read: 1 copy of a transcript that is read
  1,203 passages not embedded yet: keyword search finds them
✖ 1 transcript could not be read:
    /home/ada/a.jsonl: permission denied`,
    );
  });

  it('says that the index is complete if only the archive was interrupted', () => {
    const archive = { kept: 10, evicted: 0, problem: null };
    const summary = indexSummary({ found: 125, indexed: 0, unchanged: 125, archive, interrupted: true });
    expect(renderIndexSummary(summary, plainLook())).toContain(
      'The index is complete: 125 transcripts. 10 archived in this run.',
    );
  });

  it('does not print "nothing new" if every transcript failed', () => {
    const failed = [{ path: '/a.jsonl', reason: 'permission denied' }];
    const text = renderIndexSummary(
      indexSummary({ found: 1, indexed: 0, unchanged: 0, failed }),
      plainLook(),
    );
    expect(text).not.toContain('Nothing new');
  });
});

describe('reports of any text at any width', () => {
  it('never exceeds the width, except for commands, and prints no control character', async () => {
    for (let seed = 0; seed < 20; seed++) {
      for (const columns of [20, 40, 80, 140, 200]) {
        for (const text of await reportsOf(seed, plainLook(columns))) {
          expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
          for (const line of text.split('\n')) {
            if (line.startsWith('cd ')) continue;
            expect(displayWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(columns);
          }
        }
      }
    }
  });
});

async function reportsOf(seed: number, look: Look): Promise<string[]> {
  const text = (offset: number, pieces = 6) => randomText(seed * 100 + offset, pieces);
  const card = sessionCard({
    title: text(1),
    repo_name: text(2),
    branch: text(3),
    tags: [text(4)],
    local: false,
    machine: text(5),
  });
  const view = sessionView({
    title: text(1),
    repo_name: text(2),
    branch: text(3),
    machine: text(5),
    files_touched: [text(6), text(7)],
  });
  const turns = view.turns.map((turn) => ({
    ...turn,
    user: text(8, 30),
    assistant: text(9, 80),
    tools: [text(10)],
    files: [text(11, 30)],
  }));
  const checks = doctorChecks.map((check, i) => ({
    ...check,
    name: text(12 + i, 2),
    message: text(20 + i, 20),
    fix: text(30 + i),
  }));
  const by_repo = [
    { value: text(40), count: 12 },
    { value: '', count: 0 },
  ];
  return [
    renderSessions([card, ...sessionCards], look, at),
    await renderSession({ ...view, turns }, look, at),
    renderStats(statsReport({ by_repo }), look, at),
    renderDoctor(checks, look),
    renderIndexSummary(
      indexSummary({
        failed: [{ path: text(50), reason: text(51) }],
        skipped: [{ reason: text(52), count: 1 }],
      }),
      look,
    ),
    renderError(new SmartForkError('USAGE', text(60), { hint: text(61) }), look),
  ];
}

/** What `show` prints. */
async function renderSession(view: SessionTurns, look: Look, options: { nowMs: number }): Promise<string> {
  const steps = (async function* () {
    yield view.turns;
  })();
  const parts: string[] = [];
  for await (const part of renderTurns(renderHead(view, look, options), steps, look)) parts.push(part);
  return parts.join('\n');
}
