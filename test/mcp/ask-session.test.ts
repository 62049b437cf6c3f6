import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CARDS, createWorld, type World } from '../support/machines/mcp-world.ts';

let world: World;
beforeEach(async () => {
  world = createWorld();
  await world.run('index', '--no-embed');
}, 60_000);
afterEach(() => world.remove());

/** An agent that answers what `script` says, and notes its words. */
function givenClaude(script: string): Record<string, string> {
  const bin = join(world.folder, 'bin');
  mkdirSync(bin);
  const path = join(bin, 'claude');
  writeFileSync(
    path,
    `#!/bin/sh\n[ "$1" = --version ] && echo "2.1.329 (Claude Code)" && exit 0\nprintf '%s\\n' "$@" > ${bin}/words\n${script}\n`,
  );
  chmodSync(path, 0o755);
  return { PATH: bin + delimiter + (world.env.PATH ?? '') };
}

const QUESTION = { session_id: CARDS, question: 'Which colour do the cards have?' };

it('does not offer the tool unless a setting turns it on', async () => {
  const server = await world.connect();
  const { tools } = await server.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('ask_session');
  await expect(server.client.callTool({ name: 'ask_session', arguments: QUESTION })).rejects.toThrow(
    'the tool ask_session is off; a user turns it on: smart-fork config set fork.ask_tool true',
  );
});

it.skipIf(process.platform === 'win32')('answers from a fork, and says what was sent', async () => {
  await world.run('config', 'set', 'fork.ask_tool', 'true');
  const server = await world.connect({ env: givenClaude('echo "They are blue."') });
  const { tools } = await server.client.listTools();
  expect(tools.find(({ name }) => name === 'ask_session')?.annotations).toMatchObject({
    readOnlyHint: false,
    openWorldHint: true,
  });
  const { structured, text } = await server.call('ask_session', QUESTION);
  expect(structured).toMatchObject({ session_id: CARDS, answer: 'They are blue.' });
  expect(structured.cost).toMatch(/^Claude Code sends .* of context to its model: they count like a prompt/);
  expect(text).toContain('They are blue.');
  expect(text).toContain(structured.cost);
  expect(readFileSync(join(world.folder, 'bin', 'words'), 'utf8')).toContain(QUESTION.question);
});

it.skipIf(process.platform === 'win32')('refuses in the words of the command', async () => {
  await world.run('config', 'set', 'fork.ask_tool', 'true');
  const server = await world.connect({
    env: givenClaude('echo "Not logged in · Please run /login"; exit 1'),
  });
  expect((await server.call('ask_session', QUESTION)).error?.message).toContain(
    'Claude Code is not logged in: Not logged in',
  );
});
