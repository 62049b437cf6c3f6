import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
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
  line,
  SESSION_ID,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import { codexText, legacySession, writeCodex } from '../../support/transcripts/codex-transcripts.ts';

const GONE = 'aaaaaaaa-1111-4222-8333-444444444444';
const OTHER = 'bbbbbbbb-1111-4222-8333-444444444444';
const SECRET = `ghp_${'a1B2'.repeat(9)}`;

let world: World;
beforeEach(() => {
  world = createWorld();
  const lines = [line.user('Turn the valve of the harbor'), line.assistant('It is turned.')];
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
});

describe("prompts in Claude Code's history", () => {
  it('indexes prompts without a transcript as sessions with project and time that cannot be forked', async () => {
    history(
      [GONE, 'How do we calibrate the zanzibar gauge?'],
      [SESSION_ID, 'Turn the valve of the harbor'],
      [GONE, '/clear'],
      [GONE, 'Now write the quokka report'],
    );
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ found: 1, indexed: 1, onlyPrompts: 1 });
    const { results } = await searchWorld(parts, 'zanzibar gauge');
    expect(results[0]).toMatchObject({
      session_id: GONE,
      title: 'How do we calibrate the zanzibar gauge?',
      working_directory: '/home/sam/code/gone',
      started_at: '2026-03-01T10:00:00.000Z',
      message_count: 2,
      local: false,
      restorable: false,
      gone: true,
      can_fork: false,
      fork_command: `smart-fork retrieve ${GONE}`,
    });
    expect((await storedSession(parts, SESSION_ID))?.session.jsonl_path).toMatch(/projects/);
  });

  it('reads prompts from the history again only when some are added', async () => {
    history([GONE, 'How do we calibrate the zanzibar gauge?']);
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect(await indexWorld(parts)).toMatchObject({ indexed: 0, onlyPrompts: 0, unchanged: 1 });
    history([OTHER, 'Feed the gazelle'], [GONE, 'And the quokka']);
    expect(await indexWorld(parts)).toMatchObject({ onlyPrompts: 2 });
    expect((await storedSession(parts, GONE))?.session.user_messages).toBe(2);
    expect((await storedSession(parts, GONE))?.intents[0]?.intent_text).toBe(
      'How do we calibrate the zanzibar gauge?\nAnd the quokka',
    );
  });

  it('does not replace a session read from a transcript with prompts when the transcript is deleted', async () => {
    const parts = await openWorld(world);
    await indexWorld(parts);
    history([SESSION_ID, 'Turn the valve of the harbor']);
    rmSync(join(world.claudeHome, 'projects'), { recursive: true });
    expect(await indexWorld(parts)).toMatchObject({ onlyPrompts: 0, found: 0 });
    expect(await indexWorld(parts)).toMatchObject({ onlyPrompts: 0 });
    expect((await storedSession(parts, SESSION_ID))?.session).toMatchObject({ assistant_messages: 1 });
    const { status, stderr } = await runCli(world, ['reindex', '--yes']);
    expect(status).toBe(1);
    expect(stderr).toContain('the transcripts of 1 indexed session are no longer on this machine');
  });

  it('does not index the prompts of a session that only searched when its transcript is deleted', async () => {
    const question = 'Which session was about the zanzibar gauge?';
    const search = toolPair(
      'mcp__smart-fork__fork_detect',
      { intent: question },
      'the session about the gauge',
    );
    const lines = [line.user(question), ...search, line.assistant('The gauge of last week.')];
    writeClaude(world.claudeHome, GONE, stampLines(lines, { sessionId: GONE }));
    history([GONE, question], [OTHER, 'Feed the gazelle of zanzibar']);
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect(await storedSession(parts, GONE)).toBeNull();
    rmSync(join(world.claudeHome, 'projects'), { recursive: true });
    for (const force of [false, false, true]) {
      await indexWorld(parts, { force });
      const { results } = await searchWorld(parts, 'zanzibar gauge');
      expect(results.map(({ session_id }) => session_id)).toEqual([OTHER]);
    }
    history([GONE, 'Now repair the zanzibar gauge']);
    expect(await indexWorld(parts)).toMatchObject({ onlyPrompts: 1 });
  });

  it('replaces a session’s prompts with its transcript when the transcript comes back', async () => {
    history([GONE, 'How do we calibrate the zanzibar gauge?']);
    const parts = await openWorld(world);
    await indexWorld(parts);
    const lines = [line.user('How do we calibrate the zanzibar gauge?'), line.assistant('With a gazelle.')];
    writeClaude(world.claudeHome, GONE, stampLines(lines, { sessionId: GONE }));
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1, onlyPrompts: 0 });
    expect((await storedSession(parts, GONE))?.session).toMatchObject({ assistant_messages: 1 });
  });

  it('applies privacy rules to prompts, redacts them, and keeps forgotten ones out', async () => {
    history([GONE, `Deploy with ${SECRET}`], [OTHER, 'Feed the gazelle', '/home/sam/code/private']);
    mkdirSync(world.home, { recursive: true });
    writeFileSync(
      join(world.home, 'config.json'),
      JSON.stringify({ privacy: { exclude: { paths: ['/home/sam/code/private'] } } }),
    );
    expect(await runJson(world, ['index'])).toMatchObject({ indexed: 1, only_prompts: 1 });
    expect((await runJson(world, ['search', 'gazelle'])).results).not.toMatchObject([{ session_id: OTHER }]);
    const shown = await runCli(world, ['show', GONE]);
    expect(shown.stdout).toContain('Deploy with');
    expect(shown.stdout).not.toContain(SECRET);
    await runCli(world, ['forget', GONE, '--yes']);
    expect(await runJson(world, ['index', '--force'])).not.toHaveProperty('only_prompts');
    expect((await runJson(world, ['sessions'])).sessions).toHaveLength(1);
    expect(readFileSync(join(world.claudeHome, 'history.jsonl'), 'utf8')).toContain(SECRET);
  });

  it('shows and retrieves a session’s prompts, and says that the transcript is gone', async () => {
    history([GONE, 'How do we calibrate the zanzibar gauge?'], [GONE, 'Fix this: [Pasted text #1 +2 lines]']);
    const index = await runCli(world, ['index']);
    expect(index.stdout).toContain('1 session whose transcript is gone: the prompts were indexed');
    const search = await runCli(world, ['search', 'zanzibar']);
    expect(search.stdout).toContain('transcript gone');
    const show = await runCli(world, ['show', GONE]);
    expect(show.stdout).toContain('2 by you; the answers are gone');
    expect(show.stdout).toMatch(/Transcript +gone; the prompts are from .*history\.jsonl/);
    expect(show.stdout).toContain('Fix this: TypeError in gauge.ts');
    const retrieve = await runCli(world, ['retrieve', GONE]);
    expect(retrieve.stdout).toContain('How do we calibrate the zanzibar gauge?');
    expect(retrieve.stderr).toContain('is gone from this machine');
    expect((await runCli(world, ['fork', GONE, '--print'])).stdout).not.toContain('--fork-session');
    expect(existsSync(join(world.home, 'archive', GONE))).toBe(false);
  });

  it('skips only those prompts that are corrupt, older than session ids, or of another shape', async () => {
    appendFileSync(
      join(world.claudeHome, 'history.jsonl'),
      'not JSON\n{"display":"x","timestamp":1}\n[]\n{"display":7,"sessionId":"a","timestamp":1}\n',
    );
    history([GONE, 'How do we calibrate the zanzibar gauge?']);
    appendFileSync(join(world.claudeHome, 'history.jsonl'), '{"display":"half a');
    expect(await indexWorld(await openWorld(world))).toMatchObject({ onlyPrompts: 1, failed: [] });
  });
});

describe("prompts in Codex's history", () => {
  it('indexes Codex prompts if the rollout is gone, without a repository, commands and calls of smart-fork', async () => {
    codexHistory(
      [GONE, 'How do we calibrate the zanzibar gauge?'],
      [OTHER, 'Feed the gazelle'],
      [GONE, '$fork-detect the quokka'],
      [GONE, '/status'],
    );
    appendFileSync(
      join(world.codexHome, 'history.jsonl'),
      '{"session_id":"x","ts":"soon","text":"y"}\n{"session_id',
    );
    const parts = await openWorld(world);
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1, onlyPrompts: 2, failed: [] });
    const { results } = await searchWorld(parts, 'zanzibar gauge');
    expect(results[0]).toMatchObject({
      session_id: GONE,
      agent: 'codex',
      title: 'How do we calibrate the zanzibar gauge?',
      working_directory: '',
      started_at: '2026-03-01T10:00:00.000Z',
      message_count: 1,
      gone: true,
      can_fork: false,
    });
    expect(await indexWorld(parts)).toMatchObject({ onlyPrompts: 0, unchanged: 1 });
    writeCodex(world.codexHome, GONE, codexText(legacySession(GONE)));
    expect(await indexWorld(parts)).toMatchObject({ indexed: 1, onlyPrompts: 0 });
    expect((await storedSession(parts, GONE))?.session).toMatchObject({ assistant_messages: 2 });
  });
});

let minute = 0;
beforeEach(() => {
  minute = 0;
});

function history(...prompts: [sessionId: string, display: string, project?: string][]): void {
  const lines = prompts.map(([sessionId, display, project = '/home/sam/code/gone']) =>
    JSON.stringify({
      display,
      pastedContents: { 1: { id: 1, type: 'text', content: 'TypeError in gauge.ts' } },
      timestamp: Date.parse('2026-03-01T10:00:00Z') + 60_000 * minute++,
      project,
      sessionId,
    }),
  );
  appendFileSync(join(world.claudeHome, 'history.jsonl'), `${lines.join('\n')}\n`);
}

function codexHistory(...prompts: [sessionId: string, text: string][]): void {
  mkdirSync(world.codexHome, { recursive: true });
  const lines = prompts.map(([session_id, text]) =>
    JSON.stringify({ session_id, ts: Date.parse('2026-03-01T10:00:00Z') / 1000 + 60 * minute++, text }),
  );
  appendFileSync(join(world.codexHome, 'history.jsonl'), `${lines.join('\n')}\n`);
}
