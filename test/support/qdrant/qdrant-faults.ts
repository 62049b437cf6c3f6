import { expect } from 'vitest';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { searchLists } from '../stores/ask-store.ts';
import { changeOf, type Sample, sessionPayload, tokensOf } from '../transcripts/sample-sessions.ts';
import type { Fault, SeenRequest } from './double/server.ts';

export const QUICK = { wait: 1, longestWait: 5 };
export const SESSIONS: Sample[] = ['a', 'b', 'c'].map((id) => ({
  id,
  chunks: Array.from({ length: 5 }, (_, index) => `${id} text ${index}`),
  intents: [`ask ${id}`],
}));
export const CHANGES = SESSIONS.map((sample) => changeOf(sample));

export const isWrite = ({ method, path }: SeenRequest) =>
  method === 'PUT' || /\/(?:batch|delete)\?/.test(path);

/** A fault at the n-th matching request, counted from 0. */
export function nth(n: number, fault: Fault, which: (request: SeenRequest) => boolean = () => true) {
  let seen = -1;
  return (request: SeenRequest): Fault | null => {
    if (!which(request)) return null;
    seen += 1;
    return seen === n ? fault : null;
  };
}

/** Expects everything to be stored, once. */
export async function expectWhole(store: PointStore): Promise<void> {
  expect(await store.count()).toMatchObject({ sessions: 3, chunks: 15, intents: 3 });
  for (const sample of SESSIONS) {
    expect(await getSession(store, sample.id)).toEqual(sessionPayload(sample));
    expect((await store.getChunks(sample.id)).map(({ content }) => content)).toEqual(sample.chunks);
  }
  const lists = await searchLists(store, {
    tokens: tokensOf('text'),
    vector: null,
    filter: {},
    limits: { sessions: 50, chunks: 50, intents: 50 },
  });
  expect(lists.sessionsByWords).toHaveLength(3);
  expect(lists.chunksByWords).toHaveLength(15);
}
