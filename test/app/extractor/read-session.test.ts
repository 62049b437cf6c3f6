import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecentSessions } from '../../../src/app/extractor/read-recent-sessions.ts';
import { readSessions, totalCost } from '../../../src/app/extractor/read-sessions.ts';
import { summarizeSession } from '../../../src/app/memory/summarize-session.ts';
import { timeline } from '../../../src/app/memory/timeline.ts';
import { forgetSessions } from '../../../src/app/privacy/forget-sessions.ts';
import { findSession } from '../../../src/app/sessions/find-session.ts';
import { extractorDependencies } from '../../../src/compose/extractor/extractor.ts';
import { createWorld, indexWorld, openWorld, type World } from '../../support/machines/world.ts';
import {
  type LanguageModelDouble,
  startLanguageModelDouble,
} from '../../support/models/language-model-double.ts';
import { jsonl, line, stampLines, writeClaude } from '../../support/transcripts/claude-transcripts.ts';

const ID = 'dddd5555-0000-4000-8000-000000000005';
const NOW = '2026-03-02T12:00:00.000Z';
const QUOTE = 'the pool was closed before the last job returned its connection';
const SECRET = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
const idea = (content: string, quote: string, more = {}) => ({ kind: 'conclusion', content, quote, ...more });
const say = (...ideas: object[]) => JSON.stringify({ ideas });
const GOOD = idea('Jobs lost their connection because the pool closed first', QUOTE);

const LINES = [
  line.user('Why do jobs fail at the end of a run?'),
  line.assistant(`Let me look. The log of the run has it: ${QUOTE}. The token is ${SECRET}.`),
  line.assistant('I move the call to the end.'),
  line.user('And what about the second queue? It fails too.'),
  line.assistant('That one is fine, the failure there is the same.'),
];
const OPTIONS = { sessionId: ID, start: '2026-03-01T09:00:00.000Z' };

let world: World;
let server: LanguageModelDouble;
let path: string;
beforeEach(async () => {
  world = createWorld();
  server = await startLanguageModelDouble(() => say(GOOD));
  path = writeClaude(world.claudeHome, ID, stampLines(LINES, OPTIONS));
});
afterEach(() => server.close());

async function open(memory: object = {}) {
  mkdirSync(world.home, { recursive: true });
  const settings = { extractor: 'endpoint', endpoint: server.url, model: 'small', ...memory };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ memory: settings }));
  const parts = await openWorld(world);
  const index = { ...(await parts.indexing()), now: () => Date.parse(NOW) };
  const deps = await extractorDependencies(parts, index);
  if (deps === null) throw new Error('the extractor is on');
  await indexWorld(parts);
  const signal = new AbortController().signal;
  const read = () => readSessions(deps, null, signal);
  const found = async () => {
    const store = await parts.local();
    const ideas = await store.listMemory('idea', { sessions: { sessionIds: [ID] } }, 1000);
    return ideas.filter(({ origin }) => origin === 'model');
  };
  return { parts, deps, read, found, signal };
}

describe('reading a session with a model', () => {
  it('stores a model’s ideas that quote the session, with their turn', async () => {
    const { read, found } = await open();
    expect(await read()).toMatchObject({ sessions: 1, calls: 1, ideas: 1, dropped: 0 });
    const [only] = await found();
    expect(only).toMatchObject({ content: GOOD.content, quote: QUOTE, turn: 0, chunk_index: 100_000 });
    expect(await read()).toMatchObject({ calls: 0 });
  });

  it('redacts a session before it is sent to a model', async () => {
    await (await open()).read();
    expect(server.requests[0]?.text).toContain('[REDACTED:');
    expect(server.requests.map(({ text }) => text).join()).not.toContain(SECRET);
  });

  it('drops ideas with an invented quotation or an unknown kind, and known or repeated ones', async () => {
    const invented = idea('The disk was full at the end of the run', 'the disk was full');
    const known = idea('The user asks why jobs fail', 'Why do jobs fail at the end of a run?');
    server.say = () =>
      say(invented, { ...GOOD, kind: 'gossip' }, known, GOOD, { ...GOOD, kind: 'problem' }, 7 as never);
    const { read, found } = await open();
    expect(await read()).toMatchObject({ ideas: 1, dropped: 5 });
    expect((await found()).map(({ content }) => content)).toEqual([GOOD.content]);
  });

  it('keeps of a model’s summary the sentences that quote the session, apart from its findings', async () => {
    const sentence = (text: string, quote: string) => ({ sentence: text, quote });
    const summary = [
      sentence('Jobs failed at the end of a run.', 'jobs fail at the end of a run'),
      sentence('The disk was full.', 'the disk was full at the end'),
      sentence('The pool was closed too early.', QUOTE),
      sentence('A fourth sentence is one too many.', 'The second queue fails too.'),
    ];
    server.say = () => JSON.stringify({ ideas: [GOOD], summary });
    const { parts, read } = await open();
    expect(await read()).toMatchObject({ calls: 1, ideas: 3, dropped: 2 });
    const store = await parts.local();
    const session = await findSession(store, ID);
    const lines = (await summarizeSession({ store }, session)).filter(({ kind }) => kind === 'summary');
    expect(lines).toEqual([
      { kind: 'summary', text: '(written by the model) Jobs failed at the end of a run.', turn: 0 },
      { kind: 'summary', text: 'The pool was closed too early.', turn: 0 },
    ]);
    const shown = await timeline({ ...parts, store }, { limit: 100 });
    const contents = shown.sessions.flatMap(({ ideas }) => ideas.map(({ content }) => content));
    expect(contents).toContain(GOOD.content);
    expect(contents).not.toContain('The pool was closed too early.');
    await forgetSessions(
      { ...parts, store, state: parts.state(), localId: (id: string) => id, now: Date.now },
      [ID],
    );
    expect(await summarizeSession({ store }, session)).toEqual([]);
  });

  it('keeps the summary in the transcript’s words if no sentence of the model’s quotes it', async () => {
    server.say = () =>
      JSON.stringify({ ideas: [], summary: [{ sentence: 'All is well.', quote: 'all is well now' }] });
    const { parts, read } = await open();
    const store = await parts.local();
    const session = await findSession(store, ID);
    const before = await summarizeSession({ store }, session);
    expect(before.length).toBeGreaterThan(0);
    expect(await read()).toMatchObject({ ideas: 0, dropped: 1 });
    expect(await summarizeSession({ store }, session)).toEqual(before);
  });

  it.each(['rubbish', '{"ideas": 7}', '[]', ''])(
    'leaves a session unchanged when the model answers %j, and does not read it again',
    async (said) => {
      server.say = () => said;
      const { read, found } = await open();
      expect(await read()).toMatchObject({ calls: 1, ideas: 0, dropped: 1 });
      expect(await found()).toEqual([]);
      expect(await read()).toMatchObject({ calls: 0 });
    },
  );

  it('keeps a model’s ideas when the session grows or the index is rebuilt, without repeating a call', async () => {
    const first = await open();
    await first.read();
    const more = [line.user('Close the pool last.'), line.assistant('Done, the pool closes last now.')];
    const start = '2026-03-01T10:00:00.000Z';
    appendFileSync(path, jsonl(stampLines(more, { ...OPTIONS, start })));
    await indexWorld(first.parts);
    expect(await first.found()).toHaveLength(1);
    await first.parts.localFile.drop();
    const again = await open();
    expect((await again.found()).map(({ quote }) => quote)).toEqual([QUOTE]);
    expect(server.requests).toHaveLength(1);
  });

  it('writes ideas that an earlier worker recorded but could not write', async () => {
    const { deps, found, signal } = await open();
    const write = () => Promise.reject(new Error('the disk is full'));
    const now = () => Date.parse(NOW);
    const broken = { ...deps, now, writer: { ...deps.writer, write } };
    await expect(readRecentSessions(broken, signal)).rejects.toThrow('the disk is full');
    expect(await found()).toEqual([]);
    expect(await readRecentSessions({ ...deps, now, done: new Set() }, signal)).toBeNull();
    expect((await found()).map(({ quote }) => quote)).toEqual([QUOTE]);
    expect(server.requests).toHaveLength(1);
  });

  it('deletes a model’s ideas when the session is forgotten', async () => {
    const { parts, deps, read } = await open();
    await read();
    const more = { ...parts, ...deps, archive: parts.archive, localId: (id: string) => id };
    await forgetSessions(more, [ID]);
    const left = () => [parts.state().modelIdeas(ID), [...parts.state().readPieces(ID)]];
    expect(left()).toEqual([[], []]);
    // This comes after what a model was reading at the time.
    parts.state().notePiece(ID, 'hash', [], { day: '2026-03-02', dropped: 0 });
    expect(left()).toEqual([[], []]);
  });

  it('reads an interrupted session again later', async () => {
    const { deps } = await open();
    const stop = new AbortController();
    server.say = () => {
      stop.abort();
      return 'hang';
    };
    await expect(readRecentSessions(deps, stop.signal)).rejects.toThrow(/abort/i);
    server.say = () => say(GOOD);
    expect(await readRecentSessions(deps, new AbortController().signal)).toMatchObject({ calls: 1 });
  });

  it('reads the other sessions if a model refuses the text of one', async () => {
    const other = 'dddd5555-0000-4000-8000-000000000006';
    const start = '2026-03-01T08:00:00.000Z';
    writeClaude(world.claudeHome, other, stampLines(LINES, { sessionId: other, start }));
    const { deps, signal } = await open();
    server.say = (text) =>
      text.includes('second queue') && server.requests.length === 1 ? { status: 400 } : say();
    await expect(readRecentSessions(deps, signal)).rejects.toThrow('status 400');
    expect(await readRecentSessions(deps, signal)).toMatchObject({ calls: 1 });
    expect(await readRecentSessions(deps, signal)).toBeNull();
    expect(deps.state.readPieces(other).size).toBe(1);
  });
});

describe('the daily budget', () => {
  const long = Array.from({ length: 12 }, (_, at) => [
    line.user(`Question number ${at} about the queue`),
    line.assistant(`Answer ${at}: ${`word${at} and more `.repeat(400)}`),
  ]).flat();
  beforeEach(() => {
    path = writeClaude(world.claudeHome, ID, stampLines(long, OPTIONS));
    server.say = () => say();
  });

  it('stays within the daily budget of calls, and reads the rest the next day', async () => {
    const { deps, read, signal } = await open({ calls_per_day: 2 });
    const { calls } = await totalCost(deps, null);
    expect(calls).toBeGreaterThan(2);
    expect(await read()).toMatchObject({ calls: 2, over_budget: true });
    expect(await read()).toMatchObject({ calls: 0, over_budget: true });
    const tomorrow = { ...deps, now: () => Date.parse(NOW) + 86_400_000 };
    expect(await readRecentSessions(tomorrow, signal)).toMatchObject({ calls: 2 });
    expect(new Set(server.requests.map(({ text }) => text)).size).toBe(4);
  });

  it('checks the daily token budget before each call', async () => {
    const { deps, read } = await open({ tokens_per_day: 7000 });
    expect(await read()).toMatchObject({ over_budget: true });
    const calls = server.requests.length;
    expect(calls).toBeGreaterThan(0);
    // The reserved tokens are corrected to what the call took.
    expect(deps.state.modelUse('2026-03-02')).toMatchObject({ calls, tokens: calls * 1000 });
    expect(await (await open({ tokens_per_day: 100 })).read()).toMatchObject({ calls: 0, over_budget: true });
  });

  it('counts a failed call, and does not read again what was read before it', async () => {
    const quote = 'Question number 0 about the queue';
    server.say = (_, call) =>
      call === 2
        ? { status: 500 }
        : say(idea('The queue was what the first question was about', quote.slice(9)));
    const { deps, read, found } = await open();
    await expect(read()).rejects.toThrow('status 500');
    expect(await found()).toHaveLength(1);
    const { calls } = await totalCost(deps, null);
    expect(await read()).toMatchObject({ calls });
    expect(server.requests).toHaveLength(calls + 2);
  });
});
