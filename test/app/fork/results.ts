import type { SearchResult } from '../../../src/domain/search-result.ts';

/** Search results that differ in everything that a picker shows: long and wide titles, machines, agents. */
export function makeResults(count: number): SearchResult[] {
  return Array.from({ length: count }, (_, index) => makeResult(index));
}

const TITLES = [
  'Add a retry to the upload',
  '日本語のタイトルはとても長いので切り取られるはずです、全角文字は二桁を取ります',
  'A title that goes on and on '.repeat(12),
  'Emoji 👩‍👩‍👧‍👦 family 🇩🇪 and \u001b[31mred\u001b[0m escape',
  '',
];

function makeResult(index: number): SearchResult {
  const id = `${String(index).padStart(8, '0')}-aaaa-4bbb-8ccc-dddddddddddd`;
  return {
    rank: index + 1,
    score: 1 / (index + 1),
    recommended: index === 0,
    certainty: index === 0 ? 87 : 3,
    strength: index === 0 ? 'strong' : 'none',
    session_id: id,
    agent: index % 4 === 3 ? 'codex' : 'claude',
    title: TITLES[index % TITLES.length] ?? '',
    repo_name: index % 2 === 0 ? 'widgets' : '部品',
    repo_key: null,
    working_directory: '/home/dev/widgets',
    branch: index % 3 === 0 ? null : `feature/${index}`,
    machine: index % 5 === 4 ? 'laptop' : 'here',
    started_at: '2026-03-01T10:00:00.000Z',
    ended_at: '2026-03-01T11:00:00.000Z',
    message_count: index,
    snippet: 'the words that matched',
    snippet_ranges: [[4, 9]],
    match: { type: 'chunk', index: 0, turn: 0, timestamp: null },
    local: index % 5 !== 4,
    restorable: false,
    jsonl_path: null,
    can_fork: true,
    fork_command: `claude --resume ${id} --fork-session`,
    markers: index === 1 ? ['WORKING_SOLUTION'] : [],
    outcome: 'edited',
    tags: [],
    starred: false,
    note: null,
    parent_session_id: null,
    scores: { parts: { chunk_words: 0.5, chunk_vectors: index % 2 }, weights: {} },
  };
}
