import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli, runJson } from '../../support/machines/cli.ts';
import {
  createWorld,
  indexWorld,
  openWorld,
  searchWorld,
  storedSession,
  type World,
} from '../../support/machines/world.ts';
import {
  type ClaudeLine,
  claudePath,
  jsonl,
  line,
  SESSION_ID,
  sampleLines,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import {
  sidechain,
  subagentPathOf,
  valveSearch,
  writeSubagent,
} from '../../support/transcripts/subagents.ts';

describe('the subagents of a session', () => {
  it('indexes subagents with their session, and marks matches found in them', async () => {
    const world = worldWith({ one: valveSearch('zanzibar') });
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ found: 1, indexed: 1 });
    const { results } = await searchWorld(parts, 'zanzibar valve');
    expect(results).toMatchObject([
      { session_id: SESSION_ID, match: { type: 'chunk', subagent: 'one', turn: null } },
    ]);
    const stored = await storedSession(parts, SESSION_ID);
    expect(stored?.session).toMatchObject({ subagents: ['one'], user_messages: 2 });
    expect(stored?.intents.map(({ intent_text }) => intent_text).join()).not.toContain('zanzibar');
    expect((await searchWorld(parts, 'add a thing')).results[0]?.match?.subagent).toBeUndefined();
    expect((await runCli(world, ['search', 'zanzibar'])).stdout).toContain('in a subagent');
  });

  it('reads subagents again when they grow or new ones appear', async () => {
    const world = worldWith({ one: valveSearch('zanzibar') });
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect(await indexWorld(parts)).toMatchObject({ unchanged: 1 });
    appendFileSync(pathOf(world, 'one'), jsonl(sidechain([line.assistant('a quokka')], 9)));
    write(world, 'two', valveSearch('gazelle'));
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
    for (const [query, subagent] of [
      ['quokka', 'one'],
      ['gazelle', 'two'],
    ] as const)
      expect((await searchWorld(parts, query)).results).toMatchObject([{ match: { subagent } }]);
    expect(await indexWorld(parts, { force: true })).toMatchObject({ indexed: 1 });
    const kept = await storedSession(parts, SESSION_ID);
    expect(kept?.chunks.filter(({ subagent }) => subagent !== undefined)).toHaveLength(2);
  });

  it('counts a subagent’s edits and commits as the session’s', async () => {
    const edit = toolPair('Edit', { file_path: '/home/dev/widgets/src/deep.ts' }, 'ok');
    const world = worldWith({ one: sidechain([line.user('Do it.'), ...edit]) });
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect((await storedSession(parts, SESSION_ID))?.session.files_touched).toContain('src/deep.ts');
  });

  it('indexes all of a hundred large subagents', async () => {
    const world = worldWith({});
    const filler = 'x'.repeat(200_000);
    for (let at = 0; at < 100; at += 1)
      write(world, `a${at}`, sidechain([line.user(`word${at}q`), line.progress({ filler })]));
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect((await storedSession(parts, SESSION_ID))?.session.subagents).toHaveLength(100);
    for (const word of ['word0q', 'word3q', 'word99q'])
      expect((await searchWorld(parts, word)).results).toHaveLength(1);
  });

  it('reads subagents with much text in several steps, each once', async () => {
    const world = worldWith({});
    const text = 'lorem ipsum dolor '.repeat(20_000);
    for (const at of [0, 1, 2, 3, 4, 5]) write(world, `a${at}`, sidechain([line.user(`${text} word${at}q`)]));
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1 });
    const chunks = (await storedSession(parts, SESSION_ID))?.chunks ?? [];
    expect(new Set(chunks.map(({ chunk_index }) => chunk_index)).size).toBe(chunks.length);
    for (const at of [0, 1, 2, 3, 4, 5])
      expect((await searchWorld(parts, `word${at}q`)).results).toMatchObject([
        { match: { subagent: `a${at}` } },
      ]);
    expect(await indexWorld(parts)).toMatchObject({ unchanged: 1 });
    expect(await indexWorld(parts, { force: true })).toMatchObject({ indexed: 1 });
    expect((await storedSession(parts, SESSION_ID))?.chunks).toHaveLength(chunks.length);
  });

  it('keeps subagents whose transcript is gone', async () => {
    const world = worldWith({ old: valveSearch('zanzibar'), gone: valveSearch('quokka') });
    const parts = await openWorld(world);
    await indexWorld(parts);
    rmSync(pathOf(world, 'gone'));
    write(world, 'newer', valveSearch('narwhal'));
    await indexWorld(parts);
    const stored = await storedSession(parts, SESSION_ID);
    expect(stored?.session.subagents?.toSorted()).toEqual(['gone', 'newer', 'old']);
    const chunks = stored?.chunks.filter((one) => one.subagent !== undefined);
    expect(new Set(chunks?.map(({ chunk_index }) => chunk_index)).size).toBe(chunks?.length);
  });

  it('nests subagents in show and includes them in the context, from transcripts and from the index', async () => {
    const world = worldWith({ one: valveSearch('zanzibar') });
    expect(await runCli(world, ['index', '--no-embed'])).toMatchObject({ status: 0 });
    const read = async () => {
      const shown = (await runCli(world, ['show', SESSION_ID])).stdout;
      expect(shown).toMatch(/ {2}Subagent was asked\n {4}Find the zanzibar valve/);
      expect(shown).toMatch(/ {2}Subagent answered\n {4}The zanzibar valve is open/);
      const { turns } = await runJson(world, ['show', SESSION_ID]);
      // In the index, turns of the same passage have the same time.
      expect(turns).toContainEqual(
        expect.objectContaining({ subagents: [expect.objectContaining({ agent_id: 'one' })] }),
      );
      const context = (await runCli(world, ['retrieve', SESSION_ID, '--query', 'zanzibar'])).stdout;
      expect(context).toContain('[in a subagent]\n');
      expect(context).toContain('The zanzibar valve is open');
    };
    await read();
    rmSync(join(world.claudeHome, 'projects'), { recursive: true });
    await read();
  });

  it('archives, restores byte for byte, and forgets subagents with their session', async () => {
    const world = worldWith({ one: valveSearch('zanzibar'), two: valveSearch('gazelle') });
    await runCli(world, ['index', '--no-embed', '--archive']);
    const bytes = readFileSync(pathOf(world, 'one'));
    rmSync(join(world.claudeHome, 'projects'), { recursive: true });
    expect((await runCli(world, ['show', SESSION_ID])).stdout).toContain('The zanzibar valve is open');
    const restored = await runJson(world, ['restore', SESSION_ID]);
    expect(restored).toMatchObject({ state: 'restored', subagents: ['one', 'two'] });
    const path = String(restored.path).replace(/\.jsonl$/, '/subagents/agent-one.jsonl');
    expect(readFileSync(path)).toEqual(bytes);
    expect(await runCli(world, ['forget', SESSION_ID, '--yes'])).toMatchObject({ status: 0 });
    rmSync(join(world.claudeHome, 'projects'), { recursive: true });
    expect(await runCli(world, ['restore', SESSION_ID])).toMatchObject({ status: 1 });
    const archive = join(world.home, 'archive');
    for (const name of [SESSION_ID, `${SESSION_ID}.agent-one`, `${SESSION_ID}.agent-two`])
      expect(existsSync(join(archive, name))).toBe(false);
    expect((await runJson(world, ['search', 'zanzibar'])).results).toEqual([]);
  });

  it('indexes subagents if the hook of the session or of the subagent names the session', async () => {
    const world = worldWith({ one: valveSearch('zanzibar') });
    const parts = await openWorld(world);
    const path = claudePath(world.claudeHome, SESSION_ID);
    const file = parts.sources[0]?.inspect(path);
    expect(file?.subagents).toMatchObject([{ agentId: 'one' }]);
    await indexWorld(parts, { files: file ? [file] : [] });
    expect((await searchWorld(parts, 'zanzibar')).results).toHaveLength(1);
  });
});

function worldWith(subagents: Record<string, ClaudeLine[]>): World {
  const world = createWorld();
  writeClaude(world.claudeHome, SESSION_ID, stampLines(sampleLines()));
  for (const [id, lines] of Object.entries(subagents)) write(world, id, lines);
  return world;
}

function pathOf(world: World, agentId: string): string {
  return subagentPathOf(claudePath(world.claudeHome, SESSION_ID), agentId);
}

function write(world: World, agentId: string, lines: ClaudeLine[]): void {
  writeSubagent(claudePath(world.claudeHome, SESSION_ID), agentId, lines);
}
