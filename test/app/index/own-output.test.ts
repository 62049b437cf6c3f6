import { describe, expect, it } from 'vitest';
import { retrieveSession } from '../../../src/app/read/retrieve-session.ts';
import { findSession } from '../../../src/app/sessions/find-session.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import {
  isOwnCall,
  markContext,
  promptToRead,
  withoutOwnOutput,
} from '../../../src/domain/own/own-output.ts';
import { createWorld, indexWorld, openWorld, searchWorld, type World } from '../../support/machines/world.ts';
import {
  FORK_ID,
  line,
  SESSION_ID,
  stampLines,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import {
  SESSION_ID as CODEX_ID,
  codexInstructions,
  codexMeta,
  codexText,
  legacy,
  paginated,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const QUERY = 'websocket reconnect with backoff';

describe('smart-fork’s own output in a conversation', () => {
  it('omits smart-fork’s own output, and keeps what the user adds', () => {
    const context = markContext(
      'abc',
      '# Context from an earlier session\n\nUSER: old\n</smart-fork-context>\nUSER: still quoted',
    );
    expect(withoutOwnOutput(`${context}\nNow add tests`)).toBe('Now add tests');
    expect(withoutOwnOutput(`Look:\n${context}`)).toBe('Look:');
    expect(withoutOwnOutput(context.slice(0, -10))).toBe('');
    for (const reference of ['@/home/me/.smart-fork/context/a.md', '@"/with space/a.md"', '/x/a.md']) {
      expect(withoutOwnOutput(promptToRead(reference, 'add tests.\nAll of them'))).toBe(
        'add tests.\nAll of them',
      );
      expect(withoutOwnOutput(promptToRead(reference, null))).toBe('');
    }
  });

  it.each([
    '/fork-detect websocket backoff',
    '/smart-fork:fork-detect websocket backoff',
    '/fork-session 8402b1ed websocket',
    '/smart-fork:reindex all',
    '/remember how did we fix it',
    '$fork-detect websocket backoff',
    '! smart-fork search websocket backoff',
    '! npx -y smart-fork search websocket backoff',
  ])('indexes no words from calls of smart-fork: %s', (call) => {
    expect(isOwnCall(call)).toBe(true);
  });

  it.each([
    'smart-fork should find websockets',
    'Why does /fork-detect not find it?',
    '/smart-forking is a word',
    '/remember-me is a route',
    'What is <smart-fork-context>?',
    'Why does <smart-fork-context session="abc"> stand in my prompt? Take it out, then fix the form.',
    'Between <smart-fork-context session="a"> and </smart-fork-context> is the quotation',
    'Read docs/a.md: it is long',
    '! npm run smart-fork-build',
    '$forkful',
  ])('distinguishes smart-fork’s own output from the user’s words: %s', (text) => {
    expect(withoutOwnOutput(text)).toBe(text);
    expect(isOwnCall(text)).toBe(false);
  });
});

describe('a session that began with another session’s context', () => {
  it('does not find a Claude Code session by the context with which it began', async () => {
    const world = withOrigin();
    const context = await contextOf(world);
    const lines = [
      line.user(`${context}\nNow add the changelog`),
      line.assistant('Added.'),
      line.user(`<command-name>/fork-detect</command-name><command-args>${QUERY}</command-args>`),
      line.user(`<bash-input>smart-fork search ${QUERY}</bash-input>`),
      line.user(`<bash-stdout>1. ${QUERY}</bash-stdout><bash-stderr></bash-stderr>`),
    ];
    writeClaude(world.claudeHome, FORK_ID, stampLines(lines, { sessionId: FORK_ID }));
    await expectOnlyOrigin(world, FORK_ID, 'Now add the changelog');
  });

  it.each([
    ['older', legacy, undefined],
    ['newer', paginated, 0],
  ] as const)(
    'does not find the session by that context in Codex, in its %s format',
    async (_, format, firstOrdinal) => {
      const world = withOrigin();
      const context = await contextOf(world);
      const lines = [
        codexMeta(CODEX_ID),
        ...codexInstructions(),
        ...format.user(`${context}\nNow add the changelog`),
        ...format.user(`$fork-detect ${QUERY}`),
        ...format.user(`<user_shell_command>\nsmart-fork search ${QUERY}\n</user_shell_command>`),
      ];
      writeCodex(world.codexHome, CODEX_ID, codexText(lines, firstOrdinal));
      await expectOnlyOrigin(world, CODEX_ID, 'Now add the changelog');
    },
  );
});

function withOrigin(): World {
  const world = createWorld();
  const lines = [line.user(`Make the ${QUERY}`), line.assistant('The socket now retries with jitter.')];
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
  return world;
}

/** Output of `smart-fork retrieve` and `get_session_context`. */
async function contextOf(world: World): Promise<string> {
  const parts = await indexed(world);
  const { sources, machine, tokenizer, redactor, archives, transcripts } = parts;
  const store = await parts.store();
  const { markdown } = await retrieveSession(
    { store, sources, machine, tokenizer, redactor, archives, transcripts },
    { session: await findSession(store, SESSION_ID), maxTokens: 8000 },
  );
  expect(markdown).toContain(QUERY);
  await parts.close();
  return markdown;
}

async function expectOnlyOrigin(world: World, id: string, title: string): Promise<void> {
  const parts = await indexed(world);
  const found = async (query: string) =>
    (await searchWorld(parts, query)).results.map((one) => one.session_id);
  expect(await found(QUERY)).toEqual([SESSION_ID]);
  expect(await found('changelog')).toEqual([id]);
  expect((await getSession(await parts.store(), id))?.title).toBe(title);
  await parts.close();
}

async function indexed(world: World): Promise<Parts> {
  const parts = await openWorld(world);
  await indexWorld(parts);
  return parts;
}
