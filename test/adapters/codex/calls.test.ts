import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import type { TranscriptEvent } from '../../../src/domain/session/transcript-event.ts';
import {
  COMMIT_OUTPUT,
  type CodexLine,
  CWD,
  codexMeta,
  codexText,
  item,
  legacy,
  paginated,
  SESSION_ID,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const PATCH = [
  '*** Begin Patch',
  `*** Update File: ${CWD}/src/a.ts`,
  '*** Move to: src/b.ts',
  '@@',
  '-1',
  '+*** Add File: not-a-header.ts',
  '*** Add File: docs/new page.md',
  '+text',
  '*** Delete File: old.txt',
  '*** End Patch',
  '',
].join('\n');
const PATCHED = {
  calls: ['Edit src/a.ts', 'Write src/b.ts', 'Write docs/new page.md', 'Delete old.txt'],
  files: ['src/a.ts', 'src/b.ts', 'docs/new page.md', 'old.txt'],
  commits: [],
};

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'smart-fork-codex-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('replaces lone surrogates in a command with the replacement character', () => {
  for (const command of ['echo \ud800', ['bash', '-lc', 'echo \ud800']])
    expect(told(legacy.call('shell', { command })).calls).toEqual(['Bash: echo \ufffd']);
});

it('reads a Codex patch applied by any tool', () => {
  expect(told(legacy.patch(PATCH))).toEqual(PATCHED);
  expect(told(legacy.call('apply_patch', { input: PATCH }))).toEqual(PATCHED);
  expect(told(legacy.shell(`apply_patch <<'EOF'\n${PATCH}EOF`))).toEqual(PATCHED);
  expect(
    told(legacy.call('shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}EOF`] })),
  ).toEqual(PATCHED);
  const changes = {
    [`${CWD}/src/a.ts`]: { type: 'update', unified_diff: '', move_path: `${CWD}/src/b.ts` },
    [`${CWD}/docs/new page.md`]: { type: 'add', content: 'text' },
    [`${CWD}/old.txt`]: { type: 'delete', content: '' },
  };
  expect(told(paginated.change(changes), 0)).toEqual(PATCHED);
});

it('counts no edit for a failed patch', () => {
  const changes = { [`${CWD}/a.ts`]: { type: 'update' } };
  expect(told(paginated.change(changes, 'failed'), 0)).toEqual({ calls: [], files: [], commits: [] });
  expect(told(paginated.change(changes, 'declined'), 0).files).toEqual([]);
});

it('resolves paths in a Codex call against the folder in which it ran', () => {
  const call = legacy.call('exec_command', {
    cmd: `apply_patch <<'EOF'\n${PATCH}EOF`,
    workdir: '/srv/other',
  });
  expect(told(call).files).toEqual([
    'src/a.ts',
    '/srv/other/src/b.ts',
    '/srv/other/docs/new page.md',
    '/srv/other/old.txt',
  ]);
});

it('reads Windows paths on any machine', () => {
  const lines = legacy.patch(
    '*** Begin Patch\n*** Update File: C:\\dev\\app\\src\\a.ts\n*** Add File: b.ts\n*** End Patch\n',
  );
  const text = codexText([codexMeta(SESSION_ID, { cwd: 'C:\\dev\\app' }), ...lines]);
  expect(toldBy(text).files).toEqual(['src\\a.ts', 'b.ts']);
});

it('emits files written by here-documents', () => {
  const command = `mkdir -p x && cat > x/a.md <<'EOF'\n# A\nEOF\ncat <<EOF >> "b c.md"\nmore\nEOF\ntee d.txt <<EOF\nEOF\ncat > $OUT <<EOF\nEOF`;
  expect(told(legacy.shell(command)).files).toEqual(['x/a.md', 'b c.md', 'd.txt']);
  expect(told(paginated.shell(command), 0).files).toEqual(['x/a.md', 'b c.md', 'd.txt']);
  expect(told(legacy.shell('cat a.md > b.md')).files).toEqual([]);
});

it('emits a Codex shell command as one line of at most 200 characters', () => {
  expect(told(legacy.shell('npm test')).calls).toEqual(['Bash: npm test']);
  expect(told(legacy.call('shell', { command: ['bash', '-lc', 'ls -l\n  src'] })).calls).toEqual([
    'Bash: ls -l src',
  ]);
  expect(told(legacy.call('shell', { command: ['git', 'status'] })).calls).toEqual(['Bash: git status']);
  expect(
    told([item('local_shell_call', { call_id: 'l', action: { type: 'exec', command: ['ls'] } })]).calls,
  ).toEqual(['Bash: ls']);
  const [long = ''] = told(legacy.shell(`echo ${'🙂'.repeat(300)}`)).calls;
  expect(long.length).toBeLessThanOrEqual(200);
  expect(long.isWellFormed()).toBe(true);
  expect(told(paginated.shell('npm   test'), 0).calls).toEqual(['Bash: npm test']);
});

it('describes other Codex tools by their most specific argument', () => {
  expect(told(legacy.call('view_image', { path: `${CWD}/shot.png` })).calls).toEqual(['Read shot.png']);
  expect(told(legacy.call('spawn_agent', { message: 'Look at the tests' })).calls).toEqual([
    'Agent: Look at the tests',
  ]);
  expect(told([item('web_search_call', { action: { type: 'search', query: 'zstd' } })]).calls).toEqual([
    'WebSearch: zstd',
  ]);
  expect(told(legacy.call('write_stdin', { session_id: 1, chars: '' })).calls).toEqual([]);
  const issue = item('function_call', {
    name: '_create_issue',
    namespace: 'mcp__github',
    arguments: '{"title":"Bug"}',
  });
  expect(told([issue]).calls).toEqual(['mcp__github__create_issue: Bug']);
  const mcp = paginated.item({
    type: 'McpToolCall',
    server: 'github',
    tool: 'create_issue',
    arguments: { title: 'Bug' },
  });
  expect(told([mcp], 0).calls).toEqual(['mcp__github__create_issue: Bug']);
});

it('reads Codex calls with arguments that are not JSON', () => {
  expect(told([item('function_call', { name: 'exec_command', arguments: '{"cmd":' })]).calls).toEqual([]);
});

it('finds commits in a Codex output of any shape', () => {
  const commits = ['abc1234 Add a thing'];
  expect(told(legacy.shell('git commit', COMMIT_OUTPUT)).commits).toEqual(commits);
  expect(told(legacy.call('write_stdin', {}, COMMIT_OUTPUT)).commits).toEqual(commits);
  expect(told(legacy.call('shell', {}, { content: COMMIT_OUTPUT, success: true })).commits).toEqual(commits);
  expect(told(legacy.call('exec', {}, [{ type: 'input_text', text: COMMIT_OUTPUT }])).commits).toEqual(
    commits,
  );
  expect(told(paginated.shell('git commit', COMMIT_OUTPUT), 0).commits).toEqual(commits);
  expect(told(legacy.shell('cat log', 'see [docs abc] here')).commits).toEqual([]);
});

it.each([
  ['a1b2c3d Turn it\nb2c3d4e Open it', ['a1b2c3d Turn it', 'b2c3d4e Open it']],
  ['[main a1b2c3d] Turn it\n', ['a1b2c3d Turn it']],
  [`commit ${'a'.repeat(40)}\nAuthor: A <a@b>\n\n    Turn it\n`, [`${'a'.repeat(40)} Turn it`]],
  ['1 file changed\na1b2c3d Turn it', []],
])('finds the commits that an output lists: %s', (output, listed) => {
  const lines = [
    codexText([codexMeta(SESSION_ID), ...legacy.shell('git log', output)]),
    codexText([codexMeta(SESSION_ID), ...paginated.shell('git log', output)], 0),
  ];
  for (const text of lines)
    expect(
      resultsIn(text).flatMap((one) => one.listed?.map(({ hash, subject }) => `${hash} ${subject}`) ?? []),
    ).toEqual(listed);
});

it('reads that git had nothing to commit', () => {
  const output = 'On branch main\nnothing to commit, working tree clean\n';
  const text = codexText([codexMeta(SESSION_ID), ...legacy.shell('git commit -m x | cat', output)]);
  expect(resultsIn(text)).toMatchObject([{ failed: false, uncommitted: true }]);
});

function resultsIn(text: string) {
  const results: Extract<TranscriptEvent, { kind: 'result' }>[] = [];
  createCodexSource({ homes: [home] }).read(
    writeCodex(home, SESSION_ID, text),
    { from: 0, linesBefore: 0, inheritedBytes: 0 },
    (event) => {
      if (event.kind === 'result') results.push(event);
    },
  );
  return results;
}

function told(lines: CodexLine[], firstOrdinal?: number) {
  return toldBy(codexText([codexMeta(SESSION_ID), ...lines], firstOrdinal));
}

function toldBy(text: string) {
  const path = writeCodex(home, SESSION_ID, text);
  const calls: string[] = [];
  const files: string[] = [];
  const commits: string[] = [];
  createCodexSource({ homes: [home] }).read(path, { from: 0, linesBefore: 0, inheritedBytes: 0 }, (event) => {
    if (event.kind === 'message' && event.role === 'tool') calls.push(event.text);
    if (event.kind === 'file') files.push(event.path);
    if (event.kind === 'commit') commits.push(`${event.commit.hash} ${event.commit.subject}`);
  });
  return { calls, files, commits };
}
