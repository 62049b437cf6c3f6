import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { viewSession } from '../../../src/app/read/view-session.ts';
import { locateSession } from '../../../src/app/sessions/locate-session.ts';
import type { IdeaPayload, SpanPayload } from '../../../src/domain/point/point.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { createWorld, indexWorld, openWorld } from '../../support/machines/world.ts';
import {
  bashPair,
  type ClaudeLine,
  copyLines,
  jsonl,
  line,
  SESSION_ID,
  stampLines,
  toolPair,
  uuidOf,
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

const todo = (first: string, second: string) =>
  toolPair(
    'TodoWrite',
    {
      todos: [
        { content: 'Add a retry to the upload', status: first, activeForm: 'Adding a retry' },
        { content: 'Write a test for the retry', status: second, activeForm: 'Writing a test' },
      ],
    },
    'ok',
  );

const BEGINNING: ClaudeLine[] = [
  line.user('The upload fails on slow networks. Please make it retry.'),
  ...todo('in_progress', 'pending'),
  line.assistant('I started with the retry.'),
];
const REST: ClaudeLine[] = [
  line.user('Go on.'),
  ...todo('completed', 'completed'),
  line.assistant('Both are done.'),
];

async function ideasIn(parts: Awaited<ReturnType<typeof openWorld>>): Promise<IdeaPayload[]> {
  return (await parts.store()).listMemory('idea', {}, 100);
}

describe('ideas and topics of a session', () => {
  it('stores ideas and topics with their session’s passages, in the words of the transcript', async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines(BEGINNING));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const ideas = await ideasIn(parts);
    const todos = ideas.filter(({ kind }) => kind === 'todo');
    expect(todos.map(({ content, is_open }) => ({ content, is_open }))).toEqual(
      expect.arrayContaining([
        { content: 'Add a retry to the upload', is_open: true },
        { content: 'Write a test for the retry', is_open: true },
      ]),
    );
    for (const idea of ideas) expect(idea).toMatchObject({ session_id: SESSION_ID, repo_name: 'widgets' });
    const spans: SpanPayload[] = await (await parts.store()).listMemory('span', {}, 100);
    expect(spans[0]).toMatchObject({ first_turn: 0, chunk_index: 0 });
  });

  it('decides nothing and leaves nothing open in turns that the user took back, but keeps their commits', async () => {
    const world = createWorld();
    const lines = stampLines([
      line.user('Build the cache'),
      line.assistant('Built with redis.'),
      line.user('Use memcached'),
      ...todo('in_progress', 'pending'),
      ...bashPair('git commit -m "Add memcached"', '[main abc1234] Add memcached\n 1 file changed'),
      line.assistant('Decided: we use memcached, because it is fast.\n\nTODO: document memcached'),
    ]);
    const back = stampLines([...lines, line.user('Use valkey', { parentUuid: lines[1]?.uuid })]);
    const path = writeClaude(world.claudeHome, SESSION_ID, lines);
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect((await ideasIn(parts)).length).toBeGreaterThan(2);
    writeFileSync(path, jsonl(back));
    await indexWorld(parts);
    const left = (await ideasIn(parts)).filter(({ content }) => /memcached|upload|retry/i.test(content));
    expect(left.map(({ content }) => content)).toEqual(['Committed: Add memcached']);
  });

  it.each([
    ['older', legacy, undefined],
    ['newer', paginated, 0],
  ] as const)('hold what Codex asked to remember, in its %s format', async (_, format, firstOrdinal) => {
    const said = {
      kind: 'decision',
      content: 'Uploads retry with backoff',
      entities: ['file:src/upload.ts'],
    };
    const call =
      format === legacy
        ? legacy.call('remember', said).map(({ type, payload }) => ({
            type,
            payload: { ...payload, namespace: 'mcp__smart_fork' },
          }))
        : [
            paginated.item({
              type: 'McpToolCall',
              id: 'm1',
              server: 'smart-fork',
              tool: 'remember',
              arguments: said,
              status: 'completed',
            }),
          ];
    const world = createWorld();
    const lines = [
      codexMeta(CODEX_ID),
      ...format.user('Make the upload retry, and remember why.'),
      ...call,
      ...format.assistant('Noted.'),
    ];
    writeCodex(world.codexHome, CODEX_ID, codexText(lines, firstOrdinal));
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect(await ideasIn(parts)).toContainEqual(
      expect.objectContaining({
        agent: 'codex',
        session_id: CODEX_ID,
        kind: 'decision',
        content: said.content,
        origin: 'agent',
        entities: expect.arrayContaining(['file:src/upload.ts']),
      }),
    );
  });

  it('keeps the ids of ideas and topics when the session grows, and closes todos', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, stampLines(BEGINNING));
    const parts = await openWorld(world);
    await indexWorld(parts);
    const before = await ideasIn(parts);
    appendFileSync(path, jsonl(stampLines(REST, { after: BEGINNING.length })));
    await indexWorld(parts);
    const after = await ideasIn(parts);
    const todos = after.filter(({ evidence }) => evidence === 'todo-list');
    expect(todos.map(({ is_open }) => is_open)).toEqual([false, false]);
    for (const idea of before) {
      const now = after.find(({ chunk_index }) => chunk_index === idea.chunk_index);
      expect(now).toMatchObject({ kind: idea.kind, content: idea.content });
    }
  });

  it('extracts the same ideas and topics however many reads a transcript takes', async () => {
    const grown = createWorld();
    const path = writeClaude(grown.claudeHome, SESSION_ID, stampLines(BEGINNING));
    const first = await openWorld(grown);
    await indexWorld(first);
    appendFileSync(path, jsonl(stampLines(REST, { after: BEGINNING.length })));
    await indexWorld(first);
    const whole = createWorld();
    writeClaude(whole.claudeHome, SESSION_ID, stampLines([...BEGINNING, ...REST]));
    const second = await openWorld(whole);
    await indexWorld(second);
    expect(await ideasIn(second)).toEqual(await ideasIn(first));
    const spans = async (parts: typeof first) => (await parts.store()).listMemory('span', {}, 100);
    expect(await spans(second)).toEqual(await spans(first));
  });

  it('deletes ideas and topics that the transcript no longer contains', async () => {
    const world = createWorld();
    const path = writeClaude(world.claudeHome, SESSION_ID, stampLines([...BEGINNING, ...REST]));
    const parts = await openWorld(world);
    await indexWorld(parts);
    expect((await ideasIn(parts)).length).toBeGreaterThan(0);
    writeFileSync(path, jsonl(stampLines([line.user('Hello'), line.assistant('Hello.')])));
    await indexWorld(parts);
    const left = await (await parts.store()).getHashes(SESSION_ID);
    expect(await ideasIn(parts)).toEqual([]);
    expect([...left.keys()]).not.toContain(pointId(SESSION_ID, 'idea', 0));
  });

  it('gives a fork’s ideas the same turns as show, including its parent’s turns', async () => {
    const world = createWorld();
    writeClaude(world.claudeHome, SESSION_ID, stampLines([...BEGINNING, ...REST]));
    const fork = uuidOf('fork');
    const parent = stampLines([...BEGINNING, ...REST]);
    const own = [
      line.user('Now make the upload resume.'),
      ...todo('pending', 'pending'),
      line.assistant('Done.'),
    ];
    const after = { sessionId: fork, seed: fork, after: parent.length };
    const lines = [...copyLines(parent, 'branch', { sessionId: fork }), ...stampLines(own, after)];
    writeClaude(world.claudeHome, fork, lines);
    const parts = await openWorld(world);
    await indexWorld(parts);
    const store = await parts.store();
    const [session] = await store.getSessions([fork]);
    if (session === undefined) throw new Error('the fork is not indexed');
    const view = await viewSession({ ...parts, store }, session, locateSession(parts, session));
    const shown = view.turns.findIndex(({ user }) => user.includes('resume'));
    expect(shown).toBe(2);
    const chunks = await store.getChunks(fork);
    expect(chunks.map(({ turn }) => turn)).toEqual(chunks.map(() => shown));
    const ideas = (await ideasIn(parts)).filter(({ session_id }) => session_id === fork);
    expect(ideas.map(({ turn }) => turn)).toEqual(ideas.map(() => shown));
    expect(ideas).not.toEqual([]);
  });
});
