import { beforeEach, describe, expect, it } from 'vitest';
import { createClaudeSource } from '../../../src/adapters/claude/source.ts';
import { createCodexSource } from '../../../src/adapters/codex/source.ts';
import { createRedactor } from '../../../src/adapters/secretlint/create-redactor.ts';
import { readTurn, readTurnsInSteps } from '../../../src/app/read/turns/read-turns.ts';
import { readTurns } from '../../../src/app/sessions/read-conversation.ts';
import type { Redactor } from '../../../src/ports/redactor.ts';
import type { TranscriptSource } from '../../../src/ports/transcript-source.ts';
import { runCli } from '../../support/machines/cli.ts';
import { createWorld, type World } from '../../support/machines/world.ts';
import {
  claudePath,
  line,
  SESSION_ID,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import { codexMeta, codexText, legacy, writeCodex } from '../../support/transcripts/codex-transcripts.ts';
import { valveSearch, writeSubagent } from '../../support/transcripts/subagents.ts';

const TURNS = 1000;
const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const CONSUMED = '<private>nothing that counts</private>';

let world: World;
beforeEach(() => {
  world = createWorld();
  const lines = Array.from({ length: TURNS }, (_, turn) => [
    ...(turn % 500 === 3 ? [line.user(CONSUMED)] : []),
    line.user(`question ${turn}${turn % 700 === 9 ? ` with ${SECRET}` : ''}`),
    line.assistant(`answer ${turn} `.repeat(40)),
  ]).flat();
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
});

/** Counts the texts that are redacted, which takes longest. */
function conversation(
  source: TranscriptSource = createClaudeSource({ homes: [world.claudeHome] }),
  path = claudePath(world.claudeHome, SESSION_ID),
) {
  const inner = createRedactor();
  let redacted = 0;
  const redactor: Redactor = {
    ...inner,
    redact: (texts) => {
      redacted += texts.length;
      return inner.redact(texts);
    },
  };
  return { source, path, redactor, redacted: () => redacted };
}

async function allTurns({ source, path, redactor } = conversation()) {
  return (await readTurns(source, path, redactor)).turns;
}

describe('a session of thousands of turns', () => {
  it('reads the same turns in steps as at once, the first ones before most of the session is read', async () => {
    const steps = conversation();
    const turns = [];
    let first = 0;
    for await (const some of readTurnsInSteps(steps)) {
      if (first === 0) first = steps.redacted();
      turns.push(...some);
    }
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(steps.redacted() / 5);
    const whole = await allTurns();
    expect(turns).toEqual(whole);
    expect(whole).toHaveLength(TURNS);
    expect(JSON.stringify(whole)).not.toContain(SECRET);
  });

  it('reads one turn without redacting the others', async () => {
    const whole = await allTurns();
    for (const index of [0, 3, 4, 609, TURNS - 1]) {
      const one = conversation();
      expect(await readTurn(one, index)).toEqual({ turn: whole[index], count: TURNS });
      expect(one.redacted()).toBeLessThan(20);
    }
    expect(await readTurn(conversation(), TURNS)).toEqual({ turn: null, count: TURNS });
  });

  it.each([
    ['of Codex', codexConversation],
    ['with subagents', conversationWithSubagents],
  ])('reads the same turns in steps and one by one: %s', async (_, make) => {
    const whole = await allTurns(make());
    expect(whole).toHaveLength(TURNS);
    const steps = make();
    const turns = [];
    let first = 0;
    for await (const some of readTurnsInSteps(steps)) {
      first ||= steps.redacted();
      turns.push(...some);
    }
    expect(turns).toEqual(whole);
    expect(first).toBeLessThan(steps.redacted() / 5);
    for (const index of [0, 300, 301, TURNS - 1]) {
      const one = make();
      expect(await readTurn(one, index)).toEqual({ turn: whole[index], count: TURNS });
      expect(one.redacted()).toBeLessThan(20);
    }
  });

  it('prints a whole long session into a pipe, and a single turn by its number', async () => {
    await runCli(world, ['index', '--no-embed']);
    const { stdout } = await runCli(world, ['show', SESSION_ID]);
    expect(stdout.match(/^── turn \d+ /gm)).toHaveLength(TURNS);
    expect(stdout).toMatch(/^Session +\S+$/m);
    expect(stdout.indexOf('question 17\n')).toBeLessThan(stdout.indexOf('question 999\n'));
    const one = await runCli(world, ['show', SESSION_ID, '--turn', '710']);
    expect(one.stdout).toContain('question 709 with [REDACTED');
    const none = await runCli(world, ['show', SESSION_ID, '--turn', String(TURNS + 1)]);
    expect(none.stderr).toContain(`no turn ${TURNS + 1}: the session has ${TURNS}`);
  });
});

function codexConversation() {
  const lines = Array.from({ length: TURNS }, (_, turn) => [
    ...legacy.user(`question ${turn}`),
    ...legacy.assistant(`answer ${turn} `.repeat(40)),
  ]).flat();
  const path = writeCodex(world.codexHome, SESSION_ID, codexText([codexMeta(SESSION_ID), ...lines]));
  return conversation(createCodexSource({ homes: [world.codexHome] }), path);
}

function conversationWithSubagents() {
  const made = conversation();
  for (const turn of [0, 300, 301, 999])
    writeSubagent(made.path, `in${turn}`, valveSearch(`valve${turn}`, 2 * turn));
  return made;
}
