import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findClaude, runLine, startApi } from '../support/agents/real-claude.ts';
import { startResponses } from '../support/agents/responses-double.ts';
import { PROGRAM, ThrowawayHome } from '../support/machines/init-cli.ts';
import { line, stampLines, toolPair, writeClaude } from '../support/transcripts/claude-transcripts.ts';

const PAY = 'aaaa1111-0000-4000-8000-000000000001';
const LATEST = 'bbbb2222-0000-4000-8000-000000000002';
const PROMPT = 'Look at src/pay.ts again';

let home: ThrowawayHome;
let project: string;
beforeEach(async () => {
  home = new ThrowawayHome();
  project = home.at('widgets');
  mkdirSync(project);
  execFileSync('git', ['init', '-q', '-b', 'main', project]);
  writeSession(PAY, 'Retry payments twice', 'src/pay.ts', '2026-03-10');
  writeSession(LATEST, 'Refund in two steps', 'src/refund.ts', '2026-03-11');
  expect((await home.cli(['index', '--no-embed'])).code).toBe(0);
  // This process poses as the worker, so that hooks do not start one.
  home.write('.smart-fork/worker.json', JSON.stringify({ pid: process.pid }));
});
afterEach(() => home.remove());

function writeSession(sessionId: string, prompt: string, file: string, day: string): void {
  const edit = toolPair('Edit', { file_path: join(project, file) }, 'ok');
  const lines = [line.user(prompt), ...edit, line.assistant('Done.')];
  const stamped = stampLines(lines, { sessionId, cwd: project, start: `${day}T09:00:00.000Z` });
  writeClaude(home.at('.claude'), sessionId, stamped);
}

function configure(suggest: string): void {
  // The machine may be slow, and the deadline has its own test.
  home.write('.smart-fork/config.json', JSON.stringify({ memory: { suggest, suggest_ms: 10_000 } }));
}

function hook(event: string, input: object): string {
  return execFileSync(process.execPath, [PROGRAM, 'hook', event], {
    env: home.environment(),
    input: JSON.stringify({ session_id: 'new-session', cwd: project, ...input }),
    encoding: 'utf8',
  });
}

it('prints a suggestion from the hook only if memory.suggest allows it, and to the user only if it is on', () => {
  const ask = { hook_event_name: 'UserPromptSubmit', prompt: PROMPT };
  const start = { hook_event_name: 'SessionStart', source: 'startup' };
  expect(hook('user-prompt-submit', ask)).toBe('');
  configure('off');
  expect(hook('session-start', start)).toBe('');
  configure('on');
  expect(JSON.parse(hook('user-prompt-submit', ask))).toEqual({
    hookSpecificOutput: {
      hookEventName: 'UserPromptSubmit',
      additionalContext: expect.stringContaining(' "Retry payments twice" changed "src/pay.ts". '),
    },
    systemMessage: expect.stringMatching(/^smart-fork: aaaa1111 .* changed "src\/pay\.ts"$/),
  });
  expect(hook('user-prompt-submit', ask)).toBe('');
  configure('quiet');
  const quiet = JSON.parse(hook('session-start', { ...start, session_id: 'another' }));
  expect(Object.keys(quiet)).toEqual(['hookSpecificOutput']);
  expect(quiet.hookSpecificOutput.additionalContext).toContain('the latest session on "main" is bbbb2222');
  // With unreadable settings, nothing is printed, not even an error.
  home.write('.smart-fork/config.json', '{"memory": {"suggest": "on", "suggest_ms": 50}');
  expect(hook('session-start', { ...start, session_id: 'third' })).toBe('');
});

it('adds the prompt hook to the settings while memory.suggest asks for it, and removes it afterwards', async () => {
  const events = () => Object.keys(JSON.parse(home.read('.claude/settings.json')).hooks);
  expect((await home.cli(['init', '--yes', '--agent', 'claude'])).code).toBe(0);
  expect(events()).not.toContain('UserPromptSubmit');
  configure('quiet');
  const doctor = JSON.parse((await home.cli(['doctor', '--json'])).out);
  expect(JSON.stringify(doctor)).toContain('memory.suggest needs a UserPromptSubmit hook');
  const again = await home.cli(['init', '--yes', '--agent', 'claude']);
  expect(again.out).toContain('suggest past sessions with a prompt');
  expect(events()).toContain('UserPromptSubmit');
  expect(JSON.stringify(JSON.parse((await home.cli(['doctor', '--json'])).out))).toContain(
    'UserPromptSubmit: run',
  );
  configure('off');
  expect((await home.cli(['init', '--yes', '--agent', 'claude'])).code).toBe(0);
  expect(events()).not.toContain('UserPromptSubmit');
  configure('on');
  await home.cli(['init', '--yes', '--agent', 'claude']);
  expect((await home.cli(['uninstall', '--yes'])).code).toBe(0);
  expect(Object.keys(home.snapshot('.claude')).filter((path) => path.endsWith('settings.json'))).toEqual([]);
});

const claude = findClaude();

it.skipIf(claude === null)(
  'puts both suggestions into the request that Claude Code sends',
  {
    timeout: 120_000,
  },
  async () => {
    configure('quiet');
    expect((await home.cli(['init', '--yes', '--agent', 'claude'])).code).toBe(0);
    const api = await startApi();
    try {
      const env = {
        ...home.environment(),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        TERM: 'dumb',
        ANTHROPIC_BASE_URL: api.url,
        ANTHROPIC_API_KEY: 'none',
      };
      expect(await runLine(`${claude?.path} -p '${PROMPT}'`, project, env)).toBe('PONG');
      const sent = JSON.stringify(api.messages());
      expect(sent).toContain('changed \\"src/pay.ts\\". Quoted words');
      expect(sent).toContain('the latest session on \\"main\\" is bbbb2222');
    } finally {
      api.close();
    }
  },
);

const codex = process.env.SMART_FORK_TEST_CODEX ?? '';
if (codex === '') console.log('skipped: SMART_FORK_TEST_CODEX names no program');

it.skipIf(codex === '')(
  'puts both suggestions into the request that Codex sends',
  { timeout: 120_000 },
  async () => {
    configure('quiet');
    mkdirSync(home.at('.codex'), { recursive: true });
    expect((await home.cli(['init', '--yes', '--agent', 'codex'])).code).toBe(0);
    const api = await startResponses('PONG');
    try {
      const words = ['exec', '--dangerously-bypass-hook-trust', '--skip-git-repo-check', PROMPT];
      const line = [codex, ...api.options, ...words].map((word) => `'${word}'`).join(' ');
      expect(await runLine(line, project, home.environment())).toContain('PONG');
      const sent = JSON.stringify(api.requests.map((request) => JSON.parse(request).input));
      expect(sent).toContain('the latest session on \\"main\\" is bbbb2222');
      expect(sent).toContain('changed \\"src/pay.ts\\". Quoted words');
    } finally {
      api.close();
    }
  },
);
