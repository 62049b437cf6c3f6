import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectSlug } from '../../src/adapters/claude/files/restore-path.ts';
import { createClaudeSource } from '../../src/adapters/claude/source.ts';
import { locateSession } from '../../src/app/sessions/locate-session.ts';
import { turnOffsets } from '../../src/app/sessions/read-conversation.ts';
import type { TranscriptSource } from '../../src/ports/transcript-source.ts';
import { sessionId, writeSession } from '../app/fork/claude-session.ts';
import { cutAtTurn } from '../app/fork/cut-at-turn.ts';
import { machineHere } from '../app/fork/machine.ts';
import { environmentIn, findClaude, runLine, startApi, wordsOf } from '../support/agents/real-claude.ts';
import { findShared } from '../support/files/find-shared.ts';
import { sessionPayload } from '../support/transcripts/sample-sessions.ts';

const claude = findClaude();
const FOUND = 'Not logged in';

let folder: string;
let cwd: string;
let home: string;
let env: Record<string, string>;
let source: TranscriptSource;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-real-')));
  cwd = join(folder, 'my project');
  home = join(folder, 'claude');
  mkdirSync(cwd);
  mkdirSync(home);
  source = createClaudeSource({ homes: [home] });
  if (claude !== null) env = environmentIn(folder, claude.path);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Claude Code's answer to the command printed by smart-fork. */
function follow(path: string, id: string, workingDirectory: string, from = folder): Promise<string> {
  const record = {
    agent: 'claude' as const,
    machine: 'here',
    working_directory: workingDirectory,
    jsonl_path: path,
  };
  const { command } = locateSession(
    { sources: [source], machine: machineHere(), archives: [] },
    sessionPayload({ id, record }),
  );
  return runLine(`${command} -p hello`, from, env);
}

const asks = ['one', 'two'];

const corpus = findShared('corpora', 'claude');
if (corpus === null) console.warn('skipped: the corpus of real transcripts is not here');

describe.skipIf(claude === null)(
  `forks in Claude Code ${claude?.version ?? ''}`,
  { timeout: 600_000 },
  () => {
    it('does not find an unknown id', async () => {
      const said = await runLine(`claude --resume ${sessionId(9)} --fork-session -p hello`, cwd, env);
      expect(said).toContain('No conversation found');
    });

    it('finds a session from its own folder', async () => {
      const path = writeSession({ home, id: sessionId(1), cwd, asks });
      expect(await follow(path, sessionId(1), cwd)).toContain(FOUND);
      expect(
        readdirSync(join(home, 'projects', projectSlug(cwd))).filter((name) => name.endsWith('.jsonl')),
      ).toHaveLength(2);
    });

    it('finds a session whose folder is missing, from anywhere', async () => {
      const path = writeSession({ home, id: sessionId(1), cwd: '/gone/project', asks });
      expect(await follow(path, sessionId(1), '/gone/project')).toContain(FOUND);
    });

    it('finds a transcript that was copied into the folder’s project', async () => {
      const path = writeSession({ home, id: sessionId(1), cwd: '/foreign', asks, slug: projectSlug(cwd) });
      expect(await follow(path, sessionId(1), cwd)).toContain(FOUND);
    });

    it('finds a session by its file’s name if the id inside is different', async () => {
      const path = writeSession({ home, id: sessionId(1), cwd, asks, name: sessionId(2) });
      expect(await follow(path, sessionId(2), cwd)).toContain(FOUND);
    });

    it('finds a session whose id exists in two other projects', async () => {
      writeSession({ home, id: sessionId(1), cwd, asks, slug: '-one' });
      const path = writeSession({ home, id: sessionId(1), cwd, asks, slug: '-two' });
      expect(await follow(path, sessionId(1), cwd)).toContain(FOUND);
    });

    it('finds a session that was started in a subfolder of a repository', async () => {
      const sub = join(cwd, 'packages', 'a');
      mkdirSync(sub, { recursive: true });
      mkdirSync(join(cwd, '.git'));
      const path = writeSession({ home, id: sessionId(1), cwd: sub, asks });
      expect(await follow(path, sessionId(1), sub)).toContain(FOUND);
    });

    it('finds a session whose file name is not a UUID', async () => {
      const path = writeSession({ home, id: sessionId(1), cwd, asks, name: 'a backup-of.it' });
      expect(await follow(path, 'a backup-of.it', cwd)).toContain(FOUND);
    });

    it('finds a session in a folder whose name contains every kind of character', async () => {
      const odd = join(folder, "it's $HOME (a) ü 日本 😀");
      mkdirSync(odd);
      const path = writeSession({ home, id: sessionId(1), cwd: odd, asks });
      expect(await follow(path, sessionId(1), odd)).toContain(FOUND);
    });

    it('continues from exactly the turns up to the fork', async () => {
      const path = writeSession({
        home,
        id: sessionId(1),
        cwd,
        asks: ['first ask', 'second ask', 'third ask'],
      });
      const transcript = source.inspect(path);
      if (transcript === null) throw new Error('no transcript');
      const before = readFileSync(path);
      const fork = await cutAtTurn(source, transcript, 2, cwd);
      const api = await startApi();
      const withApi = { ...env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'none' };
      const said = await runLine(`claude --resume ${fork.sessionId} -p hello`, cwd, withApi);
      api.close();
      expect(said).toBe('PONG');
      const words = wordsOf(api.messages());
      expect(words.slice(0, 4)).toEqual([
        'user: first ask',
        'assistant: Done: first ask',
        'user: second ask',
        'assistant: Done: second ask',
      ]);
      expect(words.at(-1)).toBe('user: hello');
      expect(words.join('\n')).not.toContain('third ask');
      expect(readFileSync(path)).toEqual(before);
      const origin = source.findInheritance(transcript, source.find());
      expect(origin).toBeNull();
    });

    it.skipIf(corpus === null)('finds forks at random turns of the corpus', async () => {
      const origin = createClaudeSource({ homes: [corpus ?? ''] });
      const both: TranscriptSource = { ...origin, cut: source.cut?.bind(source) };
      const files = origin.find().filter(({ path }) => turnOffsets(origin, path).length > 0);
      const count = 100;
      const lost: string[] = [];
      for (let round = 0; round < count; round += 1) {
        const transcript = files[(round * 37) % files.length];
        if (transcript === undefined) throw new Error('no transcripts');
        const turn = 1 + ((round * 7) % turnOffsets(origin, transcript.path).length);
        const fork = await cutAtTurn(both, transcript, turn, cwd);
        const said = await runLine(`claude --resume ${fork.sessionId} --fork-session -p hello`, cwd, env);
        if (!said.includes(FOUND)) lost.push(`${transcript.sessionId} at turn ${turn}: ${said}`);
        rmSync(join(home, 'projects'), { recursive: true });
      }
      expect(lost).toEqual([]);
    });

    it.skipIf(corpus === null)(
      'finds every session of the corpus by the command printed by smart-fork',
      async () => {
        const sessions = createClaudeSource({ homes: [corpus ?? ''] }).find();
        const lost: string[] = [];
        for (const { path, sessionId: id } of sessions.filter(
          ({ path }) => turnOffsets(source, path).length > 0,
        )) {
          const project = join(home, 'projects', projectSlug(cwd));
          mkdirSync(project, { recursive: true });
          const copy = join(project, `${id}.jsonl`);
          copyFileSync(path, copy);
          const said = await follow(copy, id, cwd);
          if (!said.includes(FOUND)) lost.push(`${id}: ${said}`);
          rmSync(project, { recursive: true });
        }
        expect(lost).toEqual([]);
      },
    );
  },
);
