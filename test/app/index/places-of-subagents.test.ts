import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { createWorld, type World } from '../../support/machines/world.ts';
import {
  claudePath,
  jsonl,
  line,
  SESSION_ID,
  sampleLines,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import { sidechain, valveSearch } from '../../support/transcripts/subagents.ts';

/** Where Claude Code has written subagents: from the folder of the session's transcript, and the id that each has. */
const PLACES = [
  { file: `${SESSION_ID}/subagents/agent-a1.jsonl`, id: 'a1' },
  { file: `${SESSION_ID}/subagents/workflows/wf_77/agent-a1.jsonl`, id: 'workflows/wf_77/a1' },
  { file: `${SESSION_ID}/subagents/workflows/wf_78/agent-a1.jsonl`, id: 'workflows/wf_78/a1' },
  { file: `${SESSION_ID}/subagents/a/b/c/d/agent-a1.jsonl`, id: 'a/b/c/d/a1' },
  { file: `${SESSION_ID}/subagents/second try/agent-a1.jsonl`, id: 'second try/a1' },
  { file: `${SESSION_ID}/subagents/agent-researcher@mercury.jsonl`, id: 'researcher@mercury' },
  { file: `${SESSION_ID}/subagents/wörk/agent-phase 1.2.jsonl`, id: 'wörk/phase 1.2' },
  { file: 'agent-a1.jsonl', id: '../../a1' },
];

/** Of the session, whose answers have one id, and of its subagent. */
const REQUESTS = 1 + valveSearch('zanzibar').filter(({ type }) => type === 'assistant').length;

describe('the places of subagents', () => {
  it.each(PLACES)('indexes, counts, archives, restores and forgets $file', async ({ file, id }) => {
    const world = worldWith(file);
    expect(await runCli(world, ['index', '--no-embed', '--archive'])).toMatchObject({ status: 0 });
    expect((await runJson(world, ['search', 'zanzibar'])).results).toMatchObject([
      { session_id: SESSION_ID, match: { subagent: id } },
    ]);
    expect(await runJson(world, ['usage'])).toMatchObject({ totals: { requests: REQUESTS } });
    const path = join(projectOf(world), file);
    const bytes = readFileSync(path);
    rmSync(projectOf(world), { recursive: true });
    const { path: back } = (await runJson(world, ['restore', SESSION_ID])) as { path: string };
    expect(readFileSync(join(dirname(back), file))).toEqual(bytes);
    await runCli(world, ['forget', SESSION_ID, '--yes']);
    rmSync(projectOf(world), { recursive: true, force: true });
    expect(await runCli(world, ['restore', SESSION_ID])).toMatchObject({ status: 1 });
  });

  it('follows links to folders, also one that leads back to its own folder', async () => {
    const file = `${SESSION_ID}/subagents/workflows/wf_77/agent-a1.jsonl`;
    const world = worldWith(file);
    const folder = dirname(join(projectOf(world), file));
    renameSync(folder, join(world.claudeHome, 'elsewhere'));
    symlinkSync(join(world.claudeHome, 'elsewhere'), folder);
    symlinkSync(dirname(folder), join(dirname(folder), 'loop'));
    await runCli(world, ['index', '--no-embed']);
    expect((await runJson(world, ['search', 'zanzibar'])).results).toMatchObject([
      { session_id: SESSION_ID },
    ]);
  });

  it.each(['agent-a1.jsonl', `${SESSION_ID}/subagents/agent-a1.jsonl`])(
    'reads %s in the folder of another project, and reports it only if the session is gone',
    async (file) => {
      const world = worldWith(join('../-home-dev-other', file));
      expect((await runCli(world, ['index', '--no-embed', '--archive'])).stdout).not.toContain('not read');
      expect((await runJson(world, ['search', 'zanzibar'])).results).toMatchObject([
        { session_id: SESSION_ID, match: { subagent: file === 'agent-a1.jsonl' ? '../../a1' : 'a1' } },
      ]);
      expect(await runJson(world, ['usage'])).toMatchObject({ totals: { requests: REQUESTS } });
      expect((await runCli(world, ['index', '--no-embed'])).stdout).toContain('Nothing new');
      rmSync(projectOf(world), { recursive: true });
      const { path } = (await runJson(world, ['restore', SESSION_ID])) as { path: string };
      expect(existsSync(join(dirname(path), file))).toBe(true);
      rmSync(dirname(path), { recursive: true });
      expect((await runCli(world, ['index', '--no-embed'])).stdout).toContain(
        'not read: 1 subagent whose session has no transcript here',
      );
    },
  );

  it('keeps one in the folder of another project when the session alone is indexed again', async () => {
    const world = worldWith(`../-home-dev-other/${SESSION_ID}/subagents/agent-a1.jsonl`);
    // Claude Code keeps long outputs there.
    for (const project of ['-a', '-zz'])
      mkdirSync(join(dirname(projectOf(world)), project, SESSION_ID, 'tool-results'), { recursive: true });
    const isFound = async () =>
      expect((await runJson(world, ['search', 'zanzibar'])).results).toMatchObject([
        { session_id: SESSION_ID, match: { subagent: 'a1' } },
      ]);
    await runCli(world, ['index', '--no-embed']);
    await isFound();
    const path = claudePath(world.claudeHome, SESSION_ID);
    appendFileSync(path, jsonl(stampLines([line.user('and now the wombats')], { after: 50 })));
    expect((await runCli(world, ['index', '--no-embed', '--session', path])).stdout).toContain('Indexed 1');
    await isFound();
  });

  it.each([
    ['NUL bytes', (text: string) => '\0'.repeat(20_000) + text],
    ['a long prompt', (text: string) => `{"message":"${'word '.repeat(5000)}",${text.slice(1)}`],
  ])('reads the session of a subagent beside it from the line behind %s', async (_, damage) => {
    const world = worldWith('agent-a1.jsonl');
    const path = join(projectOf(world), 'agent-a1.jsonl');
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    await runCli(world, ['index', '--no-embed']);
    expect((await runJson(world, ['search', 'zanzibar'])).results).toMatchObject([
      { session_id: SESSION_ID },
    ]);
  });

  it('does not read a workflow’s journal and descriptions as transcripts', async () => {
    const world = worldWith(`${SESSION_ID}/subagents/workflows/wf_77/agent-a1.jsonl`);
    const folder = join(projectOf(world), SESSION_ID, 'subagents/workflows/wf_77');
    writeFileSync(join(folder, 'journal.jsonl'), jsonl(sidechain([line.user('a narwhal')])));
    writeFileSync(join(folder, 'agent-a1.meta.json'), '{"description":"a narwhal"}');
    await runCli(world, ['index', '--no-embed']);
    expect((await runJson(world, ['search', 'narwhal'])).results).toEqual([]);
  });
});

describe('copies beside a transcript', () => {
  it.each(['.backup', ' (1)', '.orphaned-1790000000000-1a2b3c4d', ' copy', '-old'])(
    'takes <id>%s.jsonl for a copy of the same session, even if it is longer',
    async (suffix) => {
      const world = createWorld();
      const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
      const copy = path.replace(/\.jsonl$/, `${suffix}.jsonl`);
      writeFileSync(copy, readFileSync(path, 'utf8') + jsonl(stampLines([line.user('more')], { after: 50 })));
      expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ indexed: 1, duplicates: 1 });
      const { sessions } = (await runJson(world, ['sessions'])) as { sessions: { session_id: string }[] };
      expect(sessions.map(({ session_id }) => session_id)).toEqual([SESSION_ID]);
      expect(await runJson(world, ['show', SESSION_ID])).toMatchObject({ session: { jsonl_path: path } });
      await runCli(world, ['forget', SESSION_ID, '--yes']);
      expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ indexed: 0 });
    },
  );

  it('takes a copy of any name for one, also if it begins with NUL bytes', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
    writeFileSync(
      join(dirname(path), 'before.jsonl'),
      Buffer.concat([Buffer.alloc(20_000), readFileSync(path)]),
    );
    expect(await runJson(world, ['index', '--no-embed'])).toMatchObject({ indexed: 1, duplicates: 1 });
  });

  it.each(['gone', 'empty'])(
    'reads a copy under its session’s id if the original is %s, and forks it by its path',
    async (how) => {
      const world = createWorld();
      const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
      const copy = path.replace(/\.jsonl$/, '.backup.jsonl');
      writeFileSync(copy, readFileSync(path));
      if (how === 'gone') rmSync(path);
      else writeFileSync(path, '');
      await runCli(world, ['index', '--no-embed']);
      const { results } = (await runJson(world, ['search', 'thing'])) as { results: object[] };
      expect(results).toMatchObject([{ session_id: SESSION_ID }]);
      expect(JSON.stringify(results)).toContain('.backup.jsonl');
    },
  );
});

function worldWith(file: string): World {
  const world = createWorld();
  writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
  const path = join(projectOf(world), file);
  mkdirSync(dirname(path), { recursive: true });
  // Newer and older versions name the session in every line.
  const lines = valveSearch('zanzibar').map((one, at) => ({
    ...one,
    sessionId: SESSION_ID,
    ...(one.type === 'assistant' ? { message: { ...(one.message as object), id: `msg_sub_${at}` } } : {}),
  }));
  writeFileSync(path, jsonl(lines));
  expect(existsSync(path)).toBe(true);
  return world;
}

function projectOf(world: World): string {
  return dirname(claudePath(world.claudeHome, SESSION_ID));
}
