import type { Look } from '../../../src/cli/terminal/ink.ts';
import type { SearchResponse, SearchResult } from '../../../src/domain/search-result.ts';

// Dates are printed in local time.
process.env.TZ = 'UTC';

export const NOW = Date.parse('2026-02-03T12:00:00Z');

export function plainLook(columns = 80, unicode = true): Look {
  return { columns, color: 0, unicode };
}

/** A result; [ and ] in `marked` delimit its matched ranges. */
export function searchResult(changes: Partial<SearchResult> = {}, marked = DEFAULT_PASSAGE): SearchResult {
  return {
    rank: 1,
    score: 0.912,
    recommended: false,
    certainty: null,
    strength: null,
    session_id: '8402b1ed-99dc-417d-86a9-36a1478036dc',
    agent: 'claude',
    title: 'Real-time token usage dashboard',
    repo_name: 'mortgage-coach',
    repo_key: 'github.com/acme/mortgage-coach',
    working_directory: '/home/ada/mortgage-coach',
    branch: 'main',
    machine: 'laptop',
    started_at: '2026-01-20T09:00:00Z',
    ended_at: '2026-01-20T11:00:00Z',
    message_count: 87,
    ...snippetOf(marked),
    match: { type: 'chunk', index: 4, turn: 11, timestamp: '2026-01-20T10:00:00Z' },
    local: true,
    restorable: false,
    jsonl_path: '/home/ada/.claude/projects/x/8402b1ed.jsonl',
    can_fork: true,
    fork_command:
      'cd /home/ada/mortgage-coach && claude --resume 8402b1ed-99dc-417d-86a9-36a1478036dc --fork-session',
    markers: [],
    outcome: 'committed',
    tags: [],
    starred: false,
    note: null,
    parent_session_id: null,
    scores: {
      parts: { session_words: 1, chunk_words: 0.94, chunk_vector: 0.81, intent_vector: 0.72, recency: 0.13 },
      weights: {
        session_words: 0.35,
        chunk_words: 0.35,
        chunk_vector: 0.15,
        intent_vector: 0.15,
        recency: 0.05,
      },
    },
    ...changes,
  };
}

export function searchResponse(changes: Partial<SearchResponse> = {}): SearchResponse {
  return {
    query: 'add real-time token usage cards',
    mode: 'hybrid',
    ranking: 'default',
    confidence: 87,
    notices: [],
    took_ms: 42,
    understood: [],
    results: [
      searchResult({ recommended: true, certainty: 87, strength: 'strong' }),
      secondResult(),
      thirdResult(),
    ],
    ...changes,
  };
}

export function snippetOf(marked: string): Pick<SearchResult, 'snippet' | 'snippet_ranges'> {
  const ranges: [number, number][] = [];
  let text = '';
  for (const part of marked.split(/(\[\w+\])/)) {
    const word = /^\[(\w+)\]$/.exec(part)?.[1];
    if (word) ranges.push([text.length, text.length + word.length]);
    text += word ?? part;
  }
  return { snippet: text, snippet_ranges: ranges };
}

const DEFAULT_PASSAGE =
  'When building a session dashboard we stream [token] [usage] over a websocket and update the [cards] in place;\n' +
  'each card subscribes to its own channel, so a busy session never repaints the others. The totals come from ' +
  'the log, not from the running process, which is why they survive a restart. I will wire the first card now.';

function secondResult(): SearchResult {
  return searchResult(
    {
      rank: 2,
      score: 0.614,
      session_id: '3a850835-0f3c-4c52-9f6e-0d7b2c1a9e11',
      agent: 'codex',
      title:
        'Token usage field is missing from the registration form, and the tests that should have noticed',
      repo_name: 'billing-api',
      branch: 'fix/registration-fields',
      machine: 'work-desktop',
      local: false,
      can_fork: false,
      ended_at: '2026-02-02T18:00:00Z',
      message_count: 1204,
      outcome: 'edited',
      markers: ['WORKING_SOLUTION', 'PATTERN'],
      tags: ['billing'],
      fork_command: 'smart-fork retrieve 3a850835-0f3c-4c52-9f6e-0d7b2c1a9e11',
    },
    'The schema knows `tokenUsage`, the form does not. I added the [usage] field and a test that fails without it.',
  );
}

function thirdResult(): SearchResult {
  return searchResult(
    {
      rank: 3,
      score: 0.377,
      session_id: 'e6b158a2-77aa-4b0e-8a53-5f4f8c8f1d02',
      title: '実時間ダッシュボードの設計 🚀',
      repo_name: 'ダッシュボード',
      branch: null,
      ended_at: '2025-11-04T18:00:00Z',
      message_count: 1,
      outcome: 'discussed',
      parent_session_id: '8402b1ed-99dc-417d-86a9-36a1478036dc',
      fork_command:
        'cd /home/ada/dash && claude --resume e6b158a2-77aa-4b0e-8a53-5f4f8c8f1d02 --fork-session',
    },
    '統計はログから計算します。[token] の使用量はカードごとに購読され、他のカードを再描画することはありません。再起動しても失われません。',
  );
}
