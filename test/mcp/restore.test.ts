import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { projectSlug } from '../../src/adapters/claude/files/restore-path.ts';
import { CARDS, createWorld, type World } from '../support/machines/mcp-world.ts';

const INTENT = 'add real-time token usage cards to my dashboard';

let world: World;
let bytes: Buffer;
let target: string;
beforeEach(async () => {
  world = createWorld();
  await world.run('index', '--no-embed', '--archive');
  const projects = join(world.folder, '.claude', 'projects');
  const path = readdirSync(projects)
    .map((folder) => join(projects, folder, `${CARDS}.jsonl`))
    .find((file) => existsSync(file));
  bytes = readFileSync(path ?? '');
  rmSync(path ?? '');
  target = join(projects, projectSlug(world.project), `${CARDS}.jsonl`);
}, 60_000);
afterEach(() => world.remove());

/** A fake agent that only prints its version. */
function installClaude(version: string): Record<string, string> {
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\necho "${version} (Claude Code)"\n`, { mode: 0o755 });
  return { PATH: bin + delimiter + (world.env.PATH ?? '') };
}

it('restores a deleted transcript with fork_index and returns the native command', async () => {
  const server = await world.connect({ env: installClaude('2.1.329') });
  const found = await server.call('fork_detect', { intent: INTENT });
  expect(found.structured.results[0]).toMatchObject({
    session_id: CARDS,
    restorable: true,
    can_fork: true,
  });
  expect(found.structured.results[0].warnings.join()).toContain('gone from this machine, but archived');
  expect(existsSync(target)).toBe(false);
  const { structured, text } = await server.call('fork_detect', { intent: INTENT, fork_index: 1 });
  const fork = structured.forked_session;
  expect(fork).toMatchObject({ can_fork: true, restored: true });
  expect(fork.command).toBe(`cd ${world.project} && claude --resume ${CARDS} --fork-session`);
  expect(text).toContain(`smart-fork fork ${CARDS.slice(0, 8)}`);
  expect(readFileSync(target).equals(bytes)).toBe(true);
  expect(fork.warnings.join()).toContain('Folder: ');
  const again = await server.call('fork_detect', { intent: INTENT, auto_fork: true });
  expect(again.structured.forked_session).toMatchObject({ can_fork: true });
  expect(again.structured.forked_session.restored).toBeUndefined();
  await server.close();
});

it('runs the command line’s checks in fork_detect', async () => {
  const server = await world.connect({ env: installClaude('1.0.99') });
  const { structured } = await server.call('fork_detect', { intent: INTENT, auto_fork: true });
  const { warnings } = structured.forked_session;
  expect(warnings.join('\n')).toContain('claude 1.0.99 cannot fork');
  expect(warnings.join('\n')).toContain('Folder: the fork starts in');
  await server.close();
});

it('reports a damaged archive, and still offers the context', async () => {
  const folder = join(world.folder, '.smart-fork', 'archive', CARDS);
  const part = readdirSync(folder).find((name) => name.endsWith('.br')) ?? '';
  writeFileSync(join(folder, part), 'broken');
  const server = await world.connect();
  const { structured } = await server.call('fork_detect', { intent: INTENT, fork_index: 1 });
  expect(structured.forked_session).toMatchObject({
    can_fork: false,
    command: `smart-fork retrieve ${CARDS}`,
  });
  expect(structured.forked_session.warnings.join()).toContain(part);
  expect(existsSync(target)).toBe(false);
  await server.close();
});

it('reads an archived session’s context and outline, and archives the running session', async () => {
  const server = await world.connect();
  const context = await server.call('get_session_context', { session_id: CARDS });
  expect(context.structured).toMatchObject({ from: 'archive', can_fork: true });
  const outline = await server.call('get_session', { session_id: CARDS });
  expect(outline.structured).toMatchObject({ local: false, restorable: true, jsonl_path: null });
  expect(outline.structured.total_turns).toBe(2);
  const stats = await server.call('session_stats');
  expect(stats.structured.archive).toMatchObject({ enabled: true, sessions: 13 });
  rmSync(join(world.folder, '.smart-fork', 'archive'), { recursive: true });
  const [other] = (await server.call('list_sessions')).structured.sessions.filter(
    ({ local }: { local: boolean }) => local,
  );
  await server.call('index_session', { session_id: other.session_id, embed: false });
  expect(readdirSync(join(world.folder, '.smart-fork', 'archive'))).toEqual([other.session_id]);
  await server.close();
});
