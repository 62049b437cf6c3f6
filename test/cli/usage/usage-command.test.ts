import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionList } from '../../../src/domain/json/session.ts';
import { usageReport } from '../../../src/domain/json/state.ts';
import { runCli, runJson } from '../../support/machines/cli.ts';
import { sharedWorld } from '../../support/machines/shared-world.ts';
import {
  type ClaudeLine,
  copyLines,
  FORK_ID,
  jsonl,
  line,
  SESSION_ID,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import {
  CHILD_ID,
  SESSION_ID as CODEX_ID,
  type CodexLine,
  codexMeta,
  codexText,
  codexTurn,
  legacy,
  OWN_TURN,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const SONNET = 'claude-sonnet-4-6';
const HAIKU = 'claude-haiku-4-5';

/** A line of an answer, with the answer's tokens so far. */
function answer(
  id: string,
  tokens: [number, number, number, number],
  model = SONNET,
  stop_reason?: string | null,
): ClaudeLine {
  const [input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens] = tokens;
  const usage = { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens };
  const content = [{ type: 'text', text: `Part of ${id}` }];
  return {
    ...line.assistant('…'),
    message: { id, type: 'message', role: 'assistant', model, content, usage, stop_reason },
  };
}

/** Codex's totals after a request, and the request's own usage. */
function counted(total: [number, number, number], last: [number, number, number]): CodexLine {
  const tokens = ([input_tokens, cached_input_tokens, output_tokens]: number[]) => ({
    input_tokens,
    cached_input_tokens,
    output_tokens,
    reasoning_output_tokens: 0,
    total_tokens: (input_tokens ?? 0) + (output_tokens ?? 0),
  });
  const info = { total_token_usage: tokens(total), last_token_usage: tokens(last) };
  return { type: 'event_msg', payload: { type: 'token_count', info, rate_limits: null } };
}

const own = stampLines([
  line.user('Make uploads retry.'),
  answer('msg_1', [3, 2, 100, 50]),
  answer('msg_1', [3, 40, 100, 50]),
  line.user('Use a longer delay.'),
  answer('msg_2', [5, 10, 200, 0]),
]);

let path = '';
const world = sharedWorld(async (made) => {
  path = writeClaude(made.claudeHome, SESSION_ID, own);
  const fork = copyLines(own, 'branch', { sessionId: FORK_ID });
  const added = stampLines([line.user('Try another way.'), answer('msg_3', [7, 20, 300, 0])], {
    sessionId: FORK_ID,
    start: '2026-07-05T09:00:00.000Z',
  });
  writeClaude(made.claudeHome, FORK_ID, [...fork, ...added]);
  const subagent = join(dirname(path), SESSION_ID, 'subagents', 'agent-a1.jsonl');
  mkdirSync(dirname(subagent), { recursive: true });
  const lines = stampLines([line.user('Look around'), answer('msg_4', [1, 6, 0, 9], HAIKU)]);
  writeFileSync(subagent, jsonl(lines.map((one) => ({ ...one, isSidechain: true, agentId: 'a1' }))));
  const turn = [
    ...codexTurn(OWN_TURN),
    ...legacy.user('Draw the chart'),
    ...legacy.assistant('Drawn.'),
    counted([1000, 400, 30], [1000, 400, 30]),
    counted([1000, 400, 30], [1000, 400, 30]),
    counted([1800, 900, 50], [500, 300, 20]),
  ];
  writeCodex(made.codexHome, CODEX_ID, codexText([codexMeta(CODEX_ID), ...turn]));
  const later = [
    ...codexTurn('019f2000-0001-7000-8000-00000000000b'),
    ...legacy.user('Make the chart blue'),
    ...legacy.assistant('Blue.'),
    counted([2000, 900, 60], [200, 0, 10]),
  ];
  const meta = codexMeta(CHILD_ID, { forked_from_id: CODEX_ID });
  writeCodex(made.codexHome, CHILD_ID, codexText([meta, codexMeta(CODEX_ID), ...turn, ...later]));
  await runCli(made, ['index', '--no-embed']);
});

describe('smart-fork usage', () => {
  it('counts each request once despite repeated lines, forks’ copies, subagents and Codex’s totals', async () => {
    const report = usageReport.parse(await runJson(world(), ['usage']));
    const numbers = (group: Record<string, unknown>) => [
      ...[group.value, group.requests, group.input_tokens, group.output_tokens],
      ...[group.cache_read_tokens, group.cache_write_tokens],
    ];
    expect(report.by_model.map(numbers)).toEqual([
      ['gpt-5.5', 3, 1100, 60, 900, 0],
      [SONNET, 3, 15, 70, 600, 50],
      [HAIKU, 1, 1, 6, 0, 9],
    ]);
    expect(report.totals).toMatchObject({ sessions: 4, requests: 7, output_tokens: 136 });
    // By hand: 3 in, 15 out, 0.3 and 3.75 for the cache; 5, 30 and 0.5; 1, 5 and 1.25 dollars per million tokens.
    const sonnet = 15 * 3 + 70 * 15 + 600 * 0.3 + 50 * 3.75;
    const gpt = 1100 * 5 + 60 * 30 + 900 * 0.5;
    const haiku = 1 * 1 + 6 * 5 + 9 * 1.25;
    for (const [at, millionths] of [gpt, sonnet, haiku].entries())
      expect(Math.abs((report.by_model[at]?.cost ?? 0) * 1e6 - millionths)).toBeLessThan(0.51);
    expect(report.totals).toMatchObject({ unpriced_requests: 0 });
    expect(report).toMatchObject({ without_price: [], prices: { currency: 'USD' } });
    const sum = report.rows.reduce((total, row) => total + row.output_tokens, 0);
    expect(sum).toBe(136);
  });

  it('counts a session’s usage since the last count, and keeps it if the transcript is unchanged', async () => {
    const more = stampLines([line.user('One more.'), answer('msg_5', [1, 100, 0, 0], HAIKU)], {
      start: '2026-08-06T09:00:00.000Z',
    });
    expect(await runJson(world(), ['usage', '--since', '2026-08-05'])).toMatchObject({
      totals: { requests: 0 },
    });
    appendFileSync(path, jsonl(more));
    for (let time = 0; time < 2; time += 1) {
      const report = usageReport.parse(
        await runJson(world(), ['usage', '--since', '2026-08-05', '--agent', 'claude']),
      );
      expect(report).toMatchObject({ totals: { sessions: 1, requests: 1, output_tokens: 100 } });
    }
  });

  it('prints usage in 40 columns, at the user’s prices before the built-in ones', async () => {
    const env = { COLUMNS: '40', NO_COLOR: '1', LANG: 'C', LC_ALL: 'C' };
    const prices = [
      { model: 'claude-sonnet-*', input: 1_000_000, output: 2_000_000, cache_read: 0, cache_write: 0 },
    ];
    await runCli(world(), ['config', 'set', 'usage.prices', JSON.stringify(prices)]);
    const { stdout } = await runCli(world(), ['usage', '--by', 'agent'], { env });
    expect(stdout).toMatch(/^[\x20-\x7e\n]{1,40}/);
    expect(Math.max(...stdout.split('\n').map((text) => text.length))).toBeLessThanOrEqual(40);
    expect(stdout).toContain('cache read');
    expect(stdout).toMatch(/cost +\$155\.00/);
    const report = usageReport.parse(await runJson(world(), ['usage']));
    expect(report.by_model[0]).toMatchObject({ value: SONNET, cost: 15 + 140 });
    expect(report.by_model.find(({ value }) => value === 'gpt-5.5')?.cost).toBe(0.00775);
  });

  it('shows a session’s tokens and cost, and lists the dearest sessions first', async () => {
    const env = { COLUMNS: '100', NO_COLOR: '1', LANG: 'C', LC_ALL: 'C' };
    expect((await runCli(world(), ['show', CODEX_ID], { env })).stdout).toMatch(/^Cost +<\$0\.01$/m);
    expect(await runJson(world(), ['show', CODEX_ID])).toMatchObject({
      usage: { requests: 2, output_tokens: 50, cost: 0.00645, without_price: [] },
    });
    const { sessions } = sessionList.parse(await runJson(world(), ['sessions', '--sort', 'cost']));
    const costs = sessions.map(({ cost }) => cost ?? -1);
    expect(costs).toEqual([...costs].sort((one, other) => other - one));
    expect(sessions.find(({ session_id }) => session_id === CODEX_ID)?.cost).toBe(0.00645);
    expect((await runCli(world(), ['sessions', '--sort', 'cost'], { env })).stdout).toMatch(
      /\$108\.00.*\$47\.00/s,
    );
  });

  it('marks output and cost as the least if the transcript has no final number', async () => {
    const id = '5e551000-0000-4000-8000-0000000000aa';
    const partly = stampLines(
      [
        line.user('Write the importer.'),
        answer('msg_a', [3, 2, 0, 0], HAIKU, null),
        answer('msg_b', [3, 2, 0, 0], HAIKU, null),
        answer('msg_b', [3, 50, 0, 0], HAIKU, 'end_turn'),
      ],
      { sessionId: id, start: '2026-09-01T09:00:00.000Z' },
    );
    const partPath = writeClaude(world().claudeHome, id, partly);
    await runCli(world(), ['index', '--no-embed']);
    const of = (since: string) => ['usage', '--since', since, '--by', 'agent'];
    const { stdout } = await runCli(world(), of('2026-08-20'));
    expect(stdout).toMatch(/claude .* 52\+ .* <?\$0\.00\+$/m);
    expect(stdout).toContain(
      '+: at least. The transcripts have no final number of output tokens for 1 request.',
    );
    const totals = { requests: 2, output_tokens: 52, partial_requests: 1 };
    expect(await runJson(world(), of('2026-08-20'))).toMatchObject({ totals });
    const shown = (await runCli(world(), ['show', id])).stdout;
    expect(shown).toMatch(/^Tokens +6 in, 52\+ out, .* \(\+: 1 request without a final\s+number\)$/m);
    expect(shown).toMatch(/^Cost +\$0\.00\+$/m);
    const { sessions } = sessionList.parse(await runJson(world(), ['sessions', '--sort', 'cost']));
    expect(sessions.find(({ session_id }) => session_id === id)?.partial_requests).toBe(1);
    const last = stampLines([answer('msg_a', [3, 70, 0, 0], HAIKU, 'end_turn')], {
      sessionId: id,
      start: '2026-09-01T09:01:00.000Z',
    });
    appendFileSync(partPath, jsonl(last));
    const whole = await runCli(world(), of('2026-08-20'));
    expect(whole.stdout).toMatch(/claude .* 120 .* <\$0\.01$/m);
    expect(whole.stdout).not.toContain('at least');
  });

  it('forgets a forgotten session’s usage', async () => {
    await runCli(world(), ['forget', CODEX_ID, CHILD_ID, '--yes']);
    const report = usageReport.parse(await runJson(world(), ['usage']));
    expect(report.by_agent.map(({ value }) => value)).toEqual(['claude']);
  });
});
