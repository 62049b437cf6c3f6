import type { SessionTurns } from '../../../src/app/read/view-session.ts';
import type { DoctorCheck } from '../../../src/domain/server-state.ts';
import type { IndexSummary, SessionCard, StatsReport } from '../../../src/domain/summary.ts';

export function sessionCard(changes: Partial<SessionCard> = {}): SessionCard {
  return {
    session_id: '8402b1ed-99dc-417d-86a9-36a1478036dc',
    agent: 'claude',
    title: 'Real-time token usage dashboard',
    repo_name: 'mortgage-coach',
    branch: 'main',
    machine: 'laptop',
    started_at: '2026-01-20T09:00:00Z',
    ended_at: '2026-01-20T11:00:00Z',
    message_count: 87,
    local: true,
    restorable: false,
    outcome: 'committed',
    markers: [],
    tags: [],
    starred: false,
    note: null,
    parent_session_id: null,
    ...changes,
  };
}

export const sessionCards: SessionCard[] = [
  sessionCard(),
  sessionCard({
    session_id: '3a850835-0f3c-4c52-9f6e-0d7b2c1a9e11',
    agent: 'codex',
    title: 'Token usage field is missing from the registration form, and the tests that should have noticed',
    repo_name: 'billing-api-with-a-long-name',
    branch: 'fix/registration-fields',
    machine: 'work-desktop',
    local: false,
    ended_at: '2026-02-02T18:00:00Z',
    message_count: 1204,
    outcome: 'edited',
    tags: ['billing'],
  }),
  sessionCard({
    session_id: 'e6b158a2-77aa-4b0e-8a53-5f4f8c8f1d02',
    title: '実時間ダッシュボードの設計 🚀',
    repo_name: 'ダッシュボード',
    branch: null,
    ended_at: '2025-11-04T18:00:00Z',
    message_count: 1,
    outcome: 'discussed',
  }),
];

export function sessionView(changes: Partial<SessionTurns['session']> = {}): SessionTurns {
  return {
    session: {
      session_id: '8402b1ed-99dc-417d-86a9-36a1478036dc',
      agent: 'claude',
      machine: 'laptop',
      repo_id: '1f2e3d4c',
      repo_key: 'github.com/acme/mortgage-coach',
      repo_name: 'mortgage-coach',
      repo_path: '/home/ada/mortgage-coach',
      working_directory: '/home/ada/mortgage-coach',
      branch: 'main',
      title: 'Real-time token usage dashboard',
      title_source: 'ai',
      started_at: '2026-01-20T09:00:00Z',
      ended_at: '2026-01-20T11:03:00Z',
      message_count: 87,
      user_messages: 31,
      assistant_messages: 56,
      tool_calls: 140,
      inherited_messages: 0,
      files_touched: ['src/cards.tsx', 'src/usage.ts'],
      commits: [{ hash: 'a1b2c3d4e5f6', subject: 'Add usage cards' }],
      outcome: 'committed',
      parent: null,
      markers: ['PATTERN'],
      tags: ['dashboard'],
      starred: false,
      note: null,
      model: 'claude-opus-4-5',
      agent_version: '2.1.329',
      jsonl_path: '/home/ada/.claude/projects/-home-ada-mortgage-coach/8402b1ed.jsonl',
      bytes: 1_234_567,
      line_count: 412,
      chunk_count: 23,
      intent_count: 31,
      ...changes,
    },
    local: true,
    restorable: false,
    longer_on: null,
    problem: null,
    resume: 'cd /home/ada/mortgage-coach && claude --resume 8402b1ed-99dc-417d-86a9-36a1478036dc',
    fork: 'cd /home/ada/mortgage-coach && claude --resume 8402b1ed-99dc-417d-86a9-36a1478036dc --fork-session',
    turns: [
      {
        index: 0,
        timestamp: '2026-01-20T09:00:00Z',
        user: 'Add real-time token usage cards to the dashboard, one for each session that is open.',
        assistant:
          'I read the log first:\n\n    const usage = readUsage(log);\n\nThen each card subscribes to it.',
        tools: ['Read', 'Edit', 'Edit', 'Bash'],
        files: ['src/cards.tsx'],
      },
      {
        index: 1,
        timestamp: '2026-01-20T09:12:00Z',
        user: 'Good. Commit it.',
        assistant: '',
        tools: [],
        files: [],
      },
    ],
  };
}

export function statsReport(changes: Partial<StatsReport> = {}): StatsReport {
  return {
    sessions: 342,
    chunks: 15847,
    intents: 2310,
    vectors: 12000,
    waiting: { intents: 0, chunks: 6157 },
    store: {
      kind: 'sqlite',
      location: '/home/ada/.smart-fork/index.db',
      bytes: 81_234_567,
      model: 'nomic-ai/nomic-embed-text-v1.5',
    },
    archive: {
      enabled: true,
      sessions: 340,
      bytes: 812_345_678,
      stored_bytes: 121_234_567,
      max_bytes: 2_000_000_000,
    },
    unread: [],
    last_synced: '2026-02-03T11:58:00Z',
    by_repo: [
      { value: 'mortgage-coach', count: 200 },
      { value: 'ダッシュボード', count: 101 },
      { value: 'billing-api', count: 41 },
    ],
    by_month: [
      { value: '2026-01', count: 240 },
      { value: '2025-12', count: 102 },
    ],
    by_agent: [
      { value: 'claude', count: 300 },
      { value: 'codex', count: 42 },
    ],
    ...changes,
  };
}

export const doctorChecks: DoctorCheck[] = [
  { name: 'Node', status: 'ok', message: '20.19.0' },
  { name: 'Store', status: 'ok', message: '/home/ada/.smart-fork/index.db, 342 sessions' },
  {
    name: 'Model',
    status: 'warn',
    message: 'nomic-ai/nomic-embed-text-v1.5 is not installed, so search goes by words only',
    fix: 'smart-fork model pull',
  },
  {
    name: 'Claude hook',
    status: 'fail',
    message: 'new sessions are not indexed by themselves',
    fix: 'smart-fork hook install',
  },
];

export function indexSummary(changes: Partial<IndexSummary> = {}): IndexSummary {
  return {
    found: 342,
    indexed: 47,
    unchanged: 293,
    empty: 0,
    excluded: 0,
    failed: [],
    duplicates: 0,
    points: 1234,
    skipped: [],
    unread: [],
    waiting: { intents: 0, chunks: 0 },
    server: null,
    archive: { kept: 47, evicted: 0, problem: null },
    took_ms: 8200,
    interrupted: false,
    ...changes,
  };
}
