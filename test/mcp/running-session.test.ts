import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeLines, createWorld, type ToolAnswer, type World } from '../support/machines/mcp-world.ts';
import {
  codexMeta,
  codexPath,
  codexText,
  legacy,
  writeCodex,
} from '../support/transcripts/codex-transcripts.ts';

const TOPICS = [
  ...['quokka turnstile', 'walrus elevator', 'zeppelin timetable', 'kayak ballast', 'lantern festival'],
  ...['marzipan furnace', 'otter canal', 'pretzel lathe', 'saffron ledger', 'teapot antenna'],
  ...['umbrella census', 'violin glacier', 'waffle compass', 'xylophone dam', 'yodel archive'],
  ...['acorn viaduct', 'bagpipe orchard', 'cactus harbour', 'dynamo meadow', 'ermine pulley'],
];
const QUERIES = TOPICS.map((topic) => `How did we repair the ${topic} when it was stuck?`);

/** The session in which a query is asked, and an earlier session that answers it. */
const running = (round: number, codex = false) => idOf(round, codex ? '7' : '4', 'b');
const earlier = (round: number) => idOf(round, '4', 'a');

let world: World;

beforeAll(async () => {
  world = createWorld({ samples: false });
  for (const [round, topic] of TOPICS.entries()) {
    const query = QUERIES[round] ?? '';
    const answered = [{ user: `The ${topic} is stuck` }, { assistant: `I oiled the ${topic}.` }];
    world.transcript(earlier(round), claudeLines(earlier(round), world.project, answered));
    const asking = [{ user: query }, { assistant: 'Let me look.' }, { user: query }];
    world.transcript(running(round), claudeLines(running(round), world.project, asking));
    const lines = [codexMeta(running(round, true)), ...legacy.user(query), ...legacy.user(query)];
    writeCodex(world.env.CODEX_HOME ?? '', running(round, true), codexText(lines));
  }
  await world.run('index', '--no-embed');
}, 60_000);

afterAll(() => world.remove());

describe('the conversation that a search comes from', () => {
  it('never returns the running session in Codex, which names it in each call', async () => {
    const server = await world.connect();
    for (const [round, intent] of QUERIES.entries()) {
      const own = running(round, true);
      const meta = [
        { threadId: own, sessionId: own },
        { 'x-codex-turn-metadata': { thread_id: own, session_id: own, workspaces: {} } },
        { 'x-codex-turn-metadata': JSON.stringify({ thread_id: own, session_id: own }) },
      ];
      const found = idsOf(await server.call('fork_detect', { intent }, meta[round % meta.length]));
      expect(found).toContain(earlier(round));
      expect(found).not.toContain(own);
      // No other session is left out.
      expect(found).toContain(running(round));
    }
    await server.close();
  }, 60_000);

  it('marks the running session in the list of sessions', async () => {
    const server = await world.connect();
    const own = running(2, true);
    const { structured, text } = await server.call('list_sessions', { limit: 100 }, { threadId: own });
    const marked = structured.sessions.filter((session: { running?: true }) => session.running);
    expect(marked).toMatchObject([{ session_id: own }]);
    expect(text).toMatch(new RegExp(`^- ${own} .*\\(the running conversation, `, 'm'));
    await server.close();
  });

  it('indexes the running session without its id in Codex', async () => {
    const server = await world.connect();
    const own = running(3, true);
    const { structured } = await server.call('index_session', {}, { threadId: own, sessionId: own });
    expect(structured).toMatchObject({ session_id: own, state: 'unchanged' });
    await server.close();
  });

  it('never returns the running session in Claude Code, even after the conversation was cleared', async () => {
    const [first = '', ...later] = QUERIES.map((_, round) => running(round));
    const server = await world.connect({ env: { CLAUDE_CODE_SESSION_ID: first } });
    for (const [round, own] of [first, ...later].entries()) {
      openInClaude(own);
      const found = idsOf(await server.call('fork_detect', { intent: QUERIES[round] }));
      expect(found).toContain(earlier(round));
      expect(found).not.toContain(own);
    }
    // The cleared conversation is an earlier session now.
    expect(idsOf(await server.call('fork_detect', { intent: QUERIES[0] }))).toContain(first);
    expect((await server.call('index_session')).structured.session_id).toBe(later.at(-1));
    await server.close();
    rmSync(processFile());
  }, 60_000);

  it('never returns a session with a message seconds old to a client that does not name the running one', async () => {
    const server = await world.connect();
    for (const [round, intent] of QUERIES.entries()) {
      const asksInCodex = round % 2 === 1;
      const own = running(round, asksInCodex);
      appendFileSync(transcriptOf(round, asksInCodex), `${calling(intent)}\n`);
      const found = idsOf(await server.call('fork_detect', { intent }));
      expect(found).toContain(earlier(round));
      expect(found).not.toContain(own);
      expect(found).toContain(running(round, !asksInCodex));
    }
    await server.close();
  }, 60_000);

  it('never returns the running session from a command line started by an agent', async () => {
    const intent = QUERIES[2] ?? '';
    appendFileSync(transcriptOf(2), `${calling(intent)}\n`);
    const { results } = JSON.parse(await world.run('search', intent, '--json'));
    const found = results.map(({ session_id }: { session_id: string }) => session_id);
    expect(found).toContain(earlier(2));
    expect(found).not.toContain(running(2));
  });

  it('does not mistake another active or rewritten session for the running one', async () => {
    const server = await world.connect();
    appendFileSync(transcriptOf(0, true), `${calling('something else')}\n`);
    utimesSync(transcriptOf(1), new Date(), new Date());
    const found = async (round: number) =>
      idsOf(await server.call('fork_detect', { intent: `the ${TOPICS[round]}` }));
    expect(await found(0)).toContain(running(0, true));
    expect(await found(1)).toContain(running(1));
    await server.close();
  });
});

/** Says which session a process has open, like Claude Code. The server's parent is this process. */
function openInClaude(sessionId: string): void {
  mkdirSync(dirname(processFile()), { recursive: true });
  writeFileSync(processFile(), JSON.stringify({ pid: process.pid, sessionId }));
}

function processFile(): string {
  return join(world.env.CLAUDE_CONFIG_DIR ?? '', 'sessions', `${process.pid}.json`);
}

function transcriptOf(round: number, codex = false): string {
  return codex
    ? codexPath(world.env.CODEX_HOME ?? '', running(round, true))
    : join(world.env.CLAUDE_CONFIG_DIR ?? '', 'projects', '-project', `${running(round)}.jsonl`);
}

/** A line that an agent writes before it calls the tool. The query is escaped twice in it. */
function calling(intent: string): string {
  const payload = { type: 'function_call', name: 'fork_detect', arguments: JSON.stringify({ intent }) };
  return JSON.stringify({ timestamp: new Date().toISOString(), type: 'response_item', payload });
}

function idsOf({ structured }: ToolAnswer): string[] {
  return structured.results.map(({ session_id }: { session_id: string }) => session_id);
}

function idOf(round: number, version: string, kind: string): string {
  const number = round.toString(16).padStart(7, '0');
  return `${kind}${number}-1111-${version}222-8333-444444444444`;
}
