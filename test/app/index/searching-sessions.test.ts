import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { listRecentTranscripts } from '../../../src/app/sessions/list-recent-transcripts.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import {
  conversationOf,
  createWorld,
  indexWorld,
  openWorld,
  searchWorld,
  storedSession,
  type World,
} from '../../support/machines/world.ts';
import {
  type ClaudeLine,
  FORK_ID,
  line,
  SESSION_ID,
  stampLines,
  toolPair,
  writeClaude,
} from '../../support/transcripts/claude-transcripts.ts';
import {
  SESSION_ID as CODEX_ID,
  codexMeta,
  codexText,
  legacy,
  paginated,
  writeCodex,
} from '../../support/transcripts/codex-transcripts.ts';

const QUERY = 'websocket reconnect with backoff';
const TOOL = 'mcp__smart-fork__fork_detect';
const ANSWER = JSON.stringify({ results: [{ session_id: SESSION_ID, title: `Make the ${QUERY}` }] });
const RELAY = `1. Make the ${QUERY} (${SESSION_ID.slice(0, 8)})
   The socket now retries with jitter.
   claude --resume ${SESSION_ID} --fork-session`;
const PROSE = `There is an earlier session about the ${QUERY}: the socket retries with jitter. Shall I load it?`;
const ask = (name = TOOL) => toolPair(name, { intent: QUERY }, [{ type: 'text', text: ANSWER }]);

describe('a session that only searched', () => {
  it.each<[string, ClaudeLine[]]>([
    ['with the MCP tool', [line.user(`How did we do the ${QUERY}?`), ...ask(), line.assistant(RELAY)]],
    [
      'with the tool of the plugin, after loading it',
      [
        line.user(`Look for ${QUERY}`),
        ...toolPair('ToolSearch', { query: 'select:fork_detect' }, 'ok'),
        ...ask('mcp__plugin_smart-fork_smart-fork__fork_detect'),
        line.assistant(PROSE),
      ],
    ],
    [
      'with the skill',
      [
        line.user(`<command-name>/fork-detect</command-name><command-args>${QUERY}</command-args>`),
        line.meta(`Base directory for this skill: /x\n\nFind ${QUERY}`),
        ...ask(),
        line.assistant(PROSE),
      ],
    ],
    [
      'with a skill that the agent chose',
      [
        line.user(`Do you remember the ${QUERY}?`),
        ...toolPair('Skill', { skill: 'smart-fork:remember', args: QUERY }, 'ok'),
        ...ask(),
        line.assistant(PROSE),
      ],
    ],
    [
      'with the command line',
      [
        line.user(QUERY),
        ...toolPair('Bash', { command: `cd /x && smart-fork search --json -- '${QUERY}' | head -50` }, RELAY),
        line.assistant(PROSE),
      ],
    ],
    [
      'and went on to a choice',
      [
        line.user(`How did we do the ${QUERY}?`),
        ...ask(),
        line.assistant(RELAY),
        line.user('the first one, please'),
        line.assistant(`Run this in a new terminal: claude --resume ${SESSION_ID} --fork-session`),
        line.user('thanks'),
        line.assistant('You are welcome.'),
      ],
    ],
  ])('does not find a session that only searched instead of its target: %s', async (_, lines) => {
    const world = withOrigin();
    writeClaude(world.claudeHome, FORK_ID, stampLines(lines, { sessionId: FORK_ID }));
    const parts = await indexed(world);
    expect(await found(parts, QUERY)).toEqual([SESSION_ID]);
    expect(await getSession(await parts.store(), FORK_ID)).toBeNull();
    const recent = await listRecentTranscripts({ ...parts, privacy: parts.privacy }, { limit: 5 });
    expect(recent.sessions.map(({ session_id }) => session_id)).toEqual([SESSION_ID]);
  });

  it.each([
    ['older', legacy, undefined, legacy.call('fork_detect', { intent: QUERY })],
    [
      'newer',
      paginated,
      0,
      [
        paginated.item({
          type: 'McpToolCall',
          id: 'm1',
          server: 'smart-fork',
          tool: 'fork_detect',
          arguments: { intent: QUERY },
          status: 'completed',
        }),
      ],
    ],
  ] as const)('is not found in Codex, in its %s format', async (_, format, firstOrdinal, call) => {
    const world = withOrigin();
    const named = call.map(({ type, payload }) =>
      payload.type === 'function_call'
        ? { type, payload: { ...payload, namespace: 'mcp__smart_fork' } }
        : { type, payload },
    );
    const lines = [
      codexMeta(CODEX_ID),
      ...format.user(`How did we do the ${QUERY}?`),
      ...named,
      ...format.assistant(RELAY),
      ...format.user(`Now with the program: ${QUERY}`),
      ...format.shell(`smart-fork search '${QUERY}'`, RELAY),
      ...format.assistant(PROSE),
    ];
    writeCodex(world.codexHome, CODEX_ID, codexText(lines, firstOrdinal));
    const parts = await indexed(world);
    expect(await found(parts, QUERY)).toEqual([SESSION_ID]);
  });

  it('removes a session that only searched from an existing index', async () => {
    const world = withOrigin();
    const work = [line.user(`How did we do the ${QUERY}?`), line.assistant('Let me look.')];
    const search = [...ask(), line.assistant(RELAY)];
    const path = writeClaude(world.claudeHome, FORK_ID, stampLines(work, { sessionId: FORK_ID }));
    const parts = await indexed(world);
    expect(await found(parts, QUERY)).toContain(FORK_ID);
    appendFileSync(path, textOf(stampLines(search, { sessionId: FORK_ID, after: work.length })));
    await indexWorld(parts);
    expect(await found(parts, QUERY)).toEqual([SESSION_ID]);
  });
});

describe('a session that searched and worked', () => {
  const lines = [
    line.user(`Add a changelog, as we did for the ${QUERY}`),
    line.assistant('First I look for it.'),
    ...ask(),
    line.assistant(RELAY),
    ...toolPair('Edit', { file_path: '/home/dev/widgets/CHANGELOG.md' }, 'ok'),
    line.assistant('The changelog has a section per release now.'),
    line.user('What does keep-a-changelog say about unreleased entries, and should we follow it here?'),
    line.assistant('It asks for an Unreleased section on top. Follow it: the release script expects one.'),
  ];

  it('finds a session that searched by its own work, not by what it repeated', async () => {
    const world = withOrigin();
    writeClaude(world.claudeHome, FORK_ID, stampLines(lines, { sessionId: FORK_ID }));
    const parts = await indexed(world);
    expect(await found(parts, 'changelog section per release')).toEqual([FORK_ID]);
    expect(await found(parts, 'unreleased entries')).toEqual([FORK_ID]);
    const stored = await storedSession(parts, FORK_ID);
    const text = conversationOf(stored?.chunks ?? []);
    expect(text).toContain('Add a changelog');
    expect(text).not.toMatch(/jitter|fork_detect|--fork-session/);
    expect(stored?.session.title).toContain('Add a changelog');
  });

  it('keeps the same passages however often a growing transcript is read', async () => {
    const all = [
      ...[line.user(`How did we do the ${QUERY}?`), line.assistant('Let me look.')],
      ...[...ask(), line.assistant(RELAY), line.user('thanks'), line.assistant('You are welcome.')],
      ...lines,
    ];
    const stamped = stampLines(all, { sessionId: FORK_ID });
    const whole = createWorld();
    writeClaude(whole.claudeHome, FORK_ID, stamped);
    const expected = await storedSession(await indexed(whole), FORK_ID);
    const growing = createWorld();
    const path = writeClaude(growing.claudeHome, FORK_ID, stamped.slice(0, 1));
    const parts = await indexed(growing);
    for (const one of stamped.slice(1)) {
      appendFileSync(path, textOf([one]));
      await indexWorld(parts);
    }
    const stored = await storedSession(parts, FORK_ID);
    const plain = (one: typeof stored) =>
      one && { ...one, session: { ...one.session, jsonl_path: '', repo_id: '', content_hash: '' } };
    expect(plain(stored)).toEqual(plain(expected));
  });

  it('keeps a long description that ended in a search', async () => {
    const world = withOrigin();
    const description = `We need a ledger that is exact to the cent. ${'It has accounts, postings and a journal. '.repeat(12)}`;
    const answer = 'I would book each posting twice, and check the sum of the journal every night.';
    const discussed = [line.user(description), ...ask(), line.assistant(answer)];
    writeClaude(world.claudeHome, FORK_ID, stampLines(discussed, { sessionId: FORK_ID }));
    const parts = await indexed(world);
    expect((await found(parts, 'ledger exact to the cent'))[0]).toBe(FORK_ID);
    expect((await found(parts, 'book each posting twice'))[0]).toBe(FORK_ID);
  });

  it('keeps the summary after smart-fork was asked to index or tag', async () => {
    const world = withOrigin();
    const tagged = [
      line.user('Fix the ledger'),
      ...toolPair('Edit', { file_path: '/home/dev/widgets/ledger.ts' }, 'ok'),
      ...toolPair('mcp__smart-fork__tag_session', { session_id: FORK_ID, add: ['ledger'] }, 'ok'),
      line.assistant('The ledger balances to the cent now.'),
    ];
    writeClaude(world.claudeHome, FORK_ID, stampLines(tagged, { sessionId: FORK_ID }));
    const parts = await indexed(world);
    expect((await found(parts, 'balances to the cent'))[0]).toBe(FORK_ID);
  });
});

function withOrigin(): World {
  const world = createWorld();
  const lines = [
    line.user(`Make the ${QUERY}`),
    ...toolPair('Edit', { file_path: '/home/dev/widgets/socket.ts' }, 'ok'),
    line.assistant('The socket now retries with jitter.'),
  ];
  writeClaude(world.claudeHome, SESSION_ID, stampLines(lines, { sessionId: SESSION_ID }));
  return world;
}

async function indexed(world: World): Promise<Parts> {
  const parts = await openWorld(world);
  await indexWorld(parts);
  return parts;
}

async function found(parts: Parts, query: string): Promise<string[]> {
  return (await searchWorld(parts, query)).results.map(({ session_id }) => session_id);
}

function textOf(lines: ClaudeLine[]): string {
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}
