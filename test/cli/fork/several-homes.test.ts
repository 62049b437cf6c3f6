import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ThrowawayHome } from '../../support/machines/init-cli.ts';
import { sampleLines, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';
import { codexText, legacySession, writeCodex } from '../../support/transcripts/codex-transcripts.ts';
import { piHead, piSession, writeRows } from '../../support/transcripts/small-agents.ts';

const CLAUDE = '0c1a0de0-0000-4000-8000-000000000001';
const CODEX = '019ed50c-2fb3-7002-a384-360bea6e7f04';
const PI = '5e551000-0000-4000-8000-000000000009';

let home: ThrowawayHome;
let paths: Record<string, string>;
beforeEach(async () => {
  home = new ThrowawayHome();
  const other = (agent: string) => home.at(`other/${agent}`);
  home.write(
    '.smart-fork/config.json',
    JSON.stringify({ claude: both('.claude'), codex: both('.codex'), pi: both('.pi/agent') }),
  );
  // The folder has another name than the path gives: CLAUDE_CODE_PROJECT_DIR_NAME.
  const claude = writeClaude(
    other('.claude'),
    CLAUDE,
    stampLines(sampleLines(), { sessionId: CLAUDE }),
    'my_name',
  );
  const codex = writeCodex(other('.codex'), CODEX, codexText(legacySession(CODEX)));
  const pi = writeRows(join(other('.pi/agent'), 'sessions/--home-dev-widgets--', `${PI}.jsonl`), [
    piHead(PI),
    ...piSession(),
  ]);
  paths = { [CLAUDE]: claude, [CODEX]: codex, [PI]: pi };
  await home.cli(['index']);
});
afterEach(() => home.remove());

function both(folder: string) {
  return { homes: [home.at(folder), home.at(`other/${folder}`)] };
}

const commandOf = async (id: string) => JSON.parse((await home.cli(['fork', id, '--json'])).out);

describe.skipIf(process.platform === 'win32')('with several homes of an agent', { timeout: 60_000 }, () => {
  it.each([
    [CLAUDE, 'CLAUDE_CONFIG_DIR', '.claude', 'claude'],
    [CODEX, 'CODEX_HOME', '.codex', 'codex'],
    [PI, 'PI_CODING_AGENT_DIR', '.pi/agent', 'pi'],
  ])('starts %s with %s', async (id, variable, folder, program) => {
    const { words } = await commandOf(id);
    expect(words.slice(0, 3)).toEqual(['env', `${variable}=${home.at(`other/${folder}`)}`, program]);
  });

  it.each([
    [CLAUDE, 'CLAUDE_CONFIG_DIR', '.claude', 'claude'],
    [PI, 'PI_CODING_AGENT_DIR', '.pi/agent', 'pi'],
  ])(
    'forks an archived copy of %s at a turn into the home where it was',
    async (id, variable, folder, program) => {
      rmSync(paths[id] ?? '');
      const own = home.at(`other/${folder}`);
      home.write(
        `bin/${program}`,
        `#!/bin/sh\n[ "$1" = --version ] && echo "2.1.329" && exit 0\necho "${variable}=$${variable} $@"\n`,
      );
      chmodSync(join(home.bin, program), 0o755);
      const { out, err } = await home.cli(['fork', id, '--at', '1', '--exec']);
      expect(out + err).toContain(`${variable}=${own} `);
      const written = readdirSync(own, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      expect(written.filter(({ name }) => name.endsWith('.jsonl'))).toHaveLength(1);
      expect(existsSync(home.at(`${folder}/projects`)) || existsSync(home.at(`${folder}/sessions`))).toBe(
        false,
      );
    },
  );

  it.each([CLAUDE, CODEX, PI])('restores %s into the home where it was', async (id) => {
    rmSync(paths[id] ?? '');
    const { path } = JSON.parse((await home.cli(['restore', id, '--to', home.at('.'), '--json'])).out);
    expect(path.startsWith(home.at('other/'))).toBe(true);
    expect(existsSync(path)).toBe(true);
  });
});
