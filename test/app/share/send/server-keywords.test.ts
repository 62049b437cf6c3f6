import { expect, inject, it, onTestFinished } from 'vitest';
import { createLexicalTokenizer } from '../../../../src/domain/search/lexical.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { startSharedServer } from '../../../support/qdrant/shared-server.ts';
import { searchLists } from '../../../support/stores/ask-store.ts';
import { markOf, sessionIds, turnLines } from '../../../support/transcripts/claude-lines.ts';
import { changeOf, growth, tokensOf } from '../../../support/transcripts/sample-sessions.ts';
import { WorkerMachine } from '../../../support/workers/worker-machine.ts';

const [ID = ''] = sessionIds(1);
const LIMITS = { sessions: 5, chunks: 5, intents: 5 };

it('sends the keywords of a session that grew with worker --drain', {
  timeout: 60_000,
}, async () => {
  const double = await startCheckedDouble();
  const machine = new WorkerMachine(inject('workerProgram'), { QDRANT_URL: double.url });
  const parts = await machine.parts();
  onTestFinished(async () => {
    await parts.close();
    await machine.close();
    await double.close();
  });
  const remote = await (await parts.sharing())?.remote();
  const sessionsWith = async (turn: number) => {
    const tokens = createLexicalTokenizer().tokens(markOf(ID, turn, 'a'));
    const found = await remote?.find({ tokens, vector: null, filter: {}, limits: LIMITS });
    return found?.lists.sessionsByWords?.map(({ session_id }) => session_id);
  };
  machine.append(ID, turnLines(ID, 0));
  await machine.drain();
  expect(await sessionsWith(0)).toEqual([ID]);
  expect(await sessionsWith(1)).toEqual([]);
  machine.append(ID, turnLines(ID, 1));
  await machine.drain();
  expect(await sessionsWith(1)).toEqual([ID]);
});

it('sends the keywords of a session once it is idle, even without archived transcripts', {
  timeout: 30_000,
}, async () => {
  const { double, clock, machine } = await startSharedServer();
  const { local, drain, remote, outbox } = machine('atlas');
  const before = { id: 's', chunks: ['piston and valve'] };
  const after = { id: 's', chunks: ['piston and valve', 'sump'] };
  const find = async () => {
    const query = { tokens: tokensOf('sump'), vector: null, filter: {}, limits: LIMITS };
    const { sessionsByWords, chunksByWords } = await searchLists(remote, query);
    return { sessions: sessionsByWords?.length, chunks: chunksByWords?.length };
  };
  const requestsOfDrain = async () => {
    const from = double.requests.length;
    expect(await drain()).toMatchObject({ waiting: 0, problem: null });
    return double.requests.length - from;
  };
  await local.write([changeOf(before)]);
  await drain();
  await local.write([growth(before, after)]);
  expect(await requestsOfDrain()).toBe(3);
  expect(await find()).toEqual({ sessions: 0, chunks: 1 });
  expect(await requestsOfDrain()).toBe(0);
  clock.now += 300_000;
  expect(await requestsOfDrain()).toBe(3);
  expect(await find()).toEqual({ sessions: 1, chunks: 1 });
  expect(outbox.get(['s'])).toEqual([]);
});
