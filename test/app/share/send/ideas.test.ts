import { expect, it } from 'vitest';
import { startSharedServer } from '../../../support/qdrant/shared-server.ts';
import { changeOf, tokensOf } from '../../../support/transcripts/sample-sessions.ts';

const BEFORE = {
  id: 'queue',
  chunks: ['Which queue?'],
  ideas: [{ content: 'Use Redis for the queue', entities: ['technology:redis'] }],
  spans: [{ name: 'Queue' }],
};

it('finds another machine’s idea, before and after it is sent, until it is forgotten', {
  timeout: 30_000,
}, async () => {
  const { machine } = await startSharedServer();
  const [one, other] = [machine('atlas'), machine('borealis')];
  const ideasAt = async ({ both }: typeof one) => {
    const query = { tokens: tokensOf('Redis'), vector: null, filter: {}, memory: {} };
    const found = (await both.find(query)).memory?.ideasByWords?.map(({ session_id }) => session_id);
    const listed = await both.listMemory('idea', { entities: ['technology:redis'] }, 5);
    expect(listed.map(({ session_id }) => session_id)).toEqual(found);
    return found;
  };
  await one.local.write([changeOf(BEFORE)]);
  expect(await ideasAt(one)).toEqual(['queue']);
  expect(await ideasAt(other)).toEqual([]);
  await one.drain({ now: true });
  expect(await ideasAt(other)).toEqual(['queue']);
  expect((await other.both.listMemory('span', {}, 5)).map(({ name }) => name)).toEqual(['Queue']);
  await one.both.deleteSessions(['queue']);
  await one.drain({ now: true });
  expect(await ideasAt(other)).toEqual([]);
});
