import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createLexicalTokenizer } from '../../../../src/domain/search/lexical.ts';
import { WorkerMachine } from '../../../support/machines/worker-machine.ts';
import { buildPrograms, type Programs } from '../../../support/machines/worker-programs.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { markOf, sessionIds, turnLines } from '../../../support/transcripts/claude-lines.ts';

const [ID = ''] = sessionIds(1);
const LIMITS = { sessions: 5, chunks: 5, intents: 5 };

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.remove());

it('the words of a session that grew are counted on the server once they are sent', {
  timeout: 60_000,
}, async () => {
  const double = await startCheckedDouble();
  const machine = new WorkerMachine(programs, { QDRANT_URL: double.url });
  const parts = await machine.parts();
  onTestFinished(async () => {
    await parts.close();
    await machine.close();
    await double.close();
  });
  const remote = await (await parts.sharing())?.remote();
  const holders = async (turn: number) => {
    const tokens = createLexicalTokenizer().tokens(markOf(ID, turn, 'a'));
    const lists = await remote?.search({ tokens, vector: null, filter: {}, limits: LIMITS });
    return lists?.sessionsByWords?.map(({ session_id }) => session_id);
  };
  machine.append(ID, turnLines(ID, 0));
  await machine.drain();
  expect(await holders(0)).toEqual([ID]);
  expect(await holders(1)).toEqual([]);
  machine.append(ID, turnLines(ID, 1));
  await machine.drain();
  expect(await holders(1)).toEqual([ID]);
});
