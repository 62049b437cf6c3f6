import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorld, type World } from '../../support/machines/mcp-world.ts';

const ID = '5ca1ab1e-0000-4000-8000-000000000002';
const TOKEN = `ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}`;
let world: World;

beforeAll(async () => {
  world = createWorld({ samples: false });
  const row = (uuid: string, type: string, content: unknown) =>
    JSON.stringify({
      type,
      uuid,
      sessionId: ID,
      cwd: '/work/shop',
      timestamp: '2026-10-01T10:00:00.000Z',
      message: { role: type, content },
    });
  world.transcript(ID, [
    row('a', 'user', `Round <b>the totals</b>, my token is ${TOKEN}`),
    row('b', 'assistant', [{ type: 'thinking', thinking: 'A small thing.', signature: 's' }]),
    row('c', 'assistant', [{ type: 'text', text: 'Rounded, with `Math.round`:\n```\nround(1.5)\n```' }]),
  ]);
  await world.run('index', '--no-embed');
});

afterAll(() => world.remove());

it('writes a session as a redacted document that only its user can read', async () => {
  const file = join(world.folder, 'totals.html');
  expect(await world.run('show', ID, '--html', file)).toContain('Wrote 1 turn to');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('Round &#60;b&#62;the totals&#60;/b&#62;');
  expect(text).toMatch(/<code>Math.round<\/code>:<\/p>\s*<pre>round\(1.5\)<\/pre>/);
  expect(text).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|A small thing/);
  expect(text).not.toContain(TOKEN);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(world.run('show', ID, '--html', file)).rejects.toThrow('it exists');
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('prints it, and has what the model thought on request', async () => {
  expect(await world.run('show', ID, '--html', '-', '--thinking')).toContain('A small thing.');
});
