import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cliEnvironment } from '../support/machines/cli.ts';
import { runHere } from '../support/machines/run-here.ts';
import { createWorld, type World } from '../support/machines/world.ts';
import { originalsOf } from '../support/transcripts/originals.ts';
import { logOf, vscodeChat, writeRows } from '../support/transcripts/small-agents.ts';

// Agents that are read, and whose sessions continue in another agent.

function run(world: World, ...words: string[]): ReturnType<typeof runHere> {
  return runHere(words, { cwd: world.folder, env: cliEnvironment(world) });
}

async function found(world: World, ...words: string[]): Promise<string[]> {
  const { stdout } = await run(world, ...words, '--json');
  const { results, sessions = results } = JSON.parse(stdout) as Record<string, { session_id: string }[]>;
  return (sessions ?? []).map(({ session_id }) => session_id);
}

describe.each(['cursor', 'vscode', 'cline', 'roo', 'goose'] as const)('%s', (agent) => {
  it('finds, shows and forgets a session, and names what works instead of a fork', async () => {
    const world = createWorld();
    const originals = originalsOf(agent);
    const id = originals.idOf('sound');
    originals.writeSound(world, id, 'lighthouse');
    expect(JSON.parse((await run(world, 'index', '--no-embed', '--json')).stdout)).toMatchObject({
      indexed: 1,
    });
    const again = JSON.parse((await run(world, 'index', '--no-embed', '--json')).stdout);
    expect(again).toMatchObject({ indexed: 0, unchanged: 1 });
    expect(await found(world, 'search', 'lighthouse', '--mode', 'keyword')).toEqual([id]);
    const { session } = JSON.parse((await run(world, 'show', id, '--json')).stdout);
    expect(session).toMatchObject({ agent });
    for (const part of ['/home/dev/widgets', 'src/a.ts', '2026-07-01T09:01'])
      expect(JSON.stringify(session)).toContain(part);
    const fork = await run(world, 'fork', id);
    expect(fork).toMatchObject({ status: 2 });
    expect(fork.stderr.replace(/\s+/g, ' ')).toMatch(
      /sessions cannot be forked hint: .* fork \S+ --into claude\. Or print it: smart-fork retrieve/,
    );
    expect((await run(world, 'retrieve', id)).stdout).toContain('add a lighthouse');
    const into = await run(world, 'fork', id, '--into', 'claude', '--print');
    expect(into.stdout).toMatch(/fork \S+ --into claude --exec/);
    await run(world, 'forget', id, '--yes');
    await run(world, 'index', '--no-embed');
    expect(await found(world, 'search', 'lighthouse', '--mode', 'keyword')).toEqual([]);
  });
});

it('reads the chats of editors where three systems keep them', async () => {
  const world = createWorld();
  const places = [
    '.config/Code/User',
    'Library/Application Support/VSCodium/User',
    'AppData/Roaming/Code - Insiders/User',
  ];
  const ids = places.map((place, at) => {
    const id = `5e551000-0000-4000-8000-00000000001${at}`;
    const folder = join(world.folder, place, 'workspaceStorage/0123/chatSessions');
    mkdirSync(folder, { recursive: true });
    writeRows(join(folder, `${id}.jsonl`), logOf({ ...vscodeChat(), sessionId: id }));
    return id;
  });
  await run(world, 'index', '--no-embed');
  expect((await found(world, 'sessions')).sort()).toEqual(ids);
  const { checks } = JSON.parse((await run(world, 'doctor', '--json')).stdout);
  const names = (checks as { name: string }[]).map(({ name }) => name);
  expect(names).toContain('VS Code chat');
  expect(names.filter((name) => /^VS Code (?:hooks|MCP|skills)/.test(name))).toEqual([]);
});

it('excludes a chat of a workspace one of whose folders is excluded', async () => {
  const world = createWorld();
  const storage = join(world.folder, '.config/Code/User/workspaceStorage/0123');
  const all = join(world.folder, 'all');
  const id = '5e551000-0000-4000-8000-000000000020';
  mkdirSync(join(storage, 'chatSessions'), { recursive: true });
  mkdirSync(all);
  writeRows(join(storage, `chatSessions/${id}.jsonl`), logOf({ ...vscodeChat(), sessionId: id }));
  writeRows(join(storage, 'workspace.json'), [{ workspace: `file://${all}/both.code-workspace` }]);
  writeFileSync(
    join(all, 'both.code-workspace'),
    '{\n  // two\n  "folders": [{ "path": "../widgets" }, { "uri": "file:///srv/client%20a" }],\n  "settings": { "path": "/srv/other" },\n}',
  );
  const exclude = async (...paths: string[]) => {
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ privacy: { exclude: { paths } } }));
    await run(world, 'index', '--no-embed');
    return found(world, 'sessions');
  };
  expect(await exclude('/srv/other')).toEqual([id]);
  expect(await exclude('/srv/client a')).toEqual([]);
  expect(await exclude()).toEqual([id]);
  expect(await exclude(join(world.folder, 'widgets'))).toEqual([]);
});
