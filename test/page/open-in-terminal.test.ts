import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CARDS, claudeLines, createWorld, type World } from '../support/machines/mcp-world.ts';
import { serveWorld } from '../support/machines/served-world.ts';
import { noBrowser } from '../support/page/browser.ts';
import { inBrowser, usePage } from '../support/page/use-page.ts';

const GONE = '5ca1ab1e-0000-4000-8000-000000000007';

// The terminal is a script.
describe.skipIf(noBrowser !== null || process.platform === 'win32')(
  inBrowser('opening a fork from the page in a terminal'),
  () => {
    let world: World;
    let transcript: string;
    let written: string;

    const at = usePage(async () => {
      world = createWorld();
      program(
        'xterm',
        `printf '%s\\n' "$@" > "${world.folder}/args.new" && mv "${world.folder}/args.new" "${world.folder}/args"`,
      );
      program('claude', 'echo 2.1.329');
      world.env.PATH = `${join(world.folder, 'bin')}${delimiter}${world.env.PATH}`;
      const said = [{ user: 'Grease the hinges of the garden gate' }, { assistant: 'Greased.' }];
      transcript = world.transcript(GONE, claudeLines(GONE, world.project, said));
      written = readFileSync(transcript, 'utf8');
      await world.run('config', 'set', 'fork.launch', 'xterm');
      await world.run('index', '--no-embed', '--archive');
      rmSync(transcript);
      return serveWorld(['--no-worker'], world);
    });

    function program(name: string, script: string): void {
      const bin = join(world.folder, 'bin');
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }

    it('restores a session that the agent deleted, then starts the terminal with the command shown', async () => {
      expect(existsSync(transcript)).toBe(false);
      const { page, errors, close } = await at.browser.open(`/session/${GONE}?fork=1`);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Whole session').check();
      await dialog.locator('pre.command', { hasText: '--fork-session' }).waitFor();
      const shown = await dialog.locator('pre.command').innerText();
      await dialog.getByRole('button', { name: 'Open in the terminal' }).click();
      await expect.poll(() => page.getByRole('dialog').count(), { timeout: 20_000 }).toBe(0);
      const args = readFileSync(join(world.folder, 'args'), 'utf8');
      expect(args).toMatch(/^-T\nfork 5ca1ab1e\n-e\n/);
      expect(args).toContain(`claude --resume ${GONE} --fork-session`);
      expect(shown).toContain(`--resume ${GONE} --fork-session`);
      const projects = join(world.folder, '.claude', 'projects');
      const restored = readdirSync(projects, { recursive: true })
        .map(String)
        .find((path) => path.includes(GONE));
      expect(readFileSync(join(projects, restored ?? ''), 'utf8')).toBe(written);
      expect(errors).toEqual([]);
      await close();
    });

    it('counts the search of which it opens a result, from the list and from the session, but none while the user types', async () => {
      const { page, close } = await at.browser.open('/?q=token+usage+cards');
      const counted = async () => (await at.served.ask('/api/v1/stats?searches=true')).json.searches;
      const launch = async () => {
        await page.getByRole('button', { name: 'Open in the terminal' }).click();
        await expect.poll(() => page.getByRole('dialog').count(), { timeout: 20_000 }).toBe(0);
      };
      const place = page.locator('.result', { hasText: /token usage/i }).first();
      await place.waitFor();
      expect(await counted()).toMatchObject({ searches: 0, forks: 0 });
      await place.getByRole('button', { name: 'Fork …' }).click();
      await launch();
      const once = { searches: 1, nothing_found: 0, forks: 1, first_taken: 1 };
      expect(await counted()).toMatchObject(once);
      await place.locator('a.title').click();
      await page.waitForURL(`**/session/${CARDS}?q=token+usage+cards*rank=1*`);
      await page.getByRole('link', { name: 'Forks' }).click();
      await page.getByRole('button', { name: 'Fork', exact: true }).click();
      await launch();
      expect(await counted()).toMatchObject({ ...once, searches: 2, forks: 2, first_taken: 2 });
      await page.goto(new URL('/?q=token+usage+cards', page.url()).href);
      await place.getByRole('button', { name: 'Copy fork command' }).click();
      await expect
        .poll(counted, { timeout: 20_000 })
        .toMatchObject({ searches: 3, forks: 3, first_taken: 3 });
      // Not opened from a result.
      await page.goto(new URL(`/session/${CARDS}?q=token&fork=1`, page.url()).href);
      await launch();
      expect(await counted()).toMatchObject({ searches: 3, forks: 3 });
      await close();
    });

    it('says in the dialog why the terminal did not open, and leaves the command to copy', async () => {
      program('xterm', 'echo "cannot open display" >&2; exit 1');
      const { page, close } = await at.browser.open(`/session/${CARDS}?fork=1`);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Open in the terminal' }).click();
      await dialog.getByText('cannot open display').waitFor();
      await dialog.getByText('Copy the command instead.').waitFor();
      expect(await dialog.locator('pre.command').innerText()).toContain(CARDS);
      await close();
    });
  },
);
