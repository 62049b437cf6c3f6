import type { Outbox } from '../../../ports/outbox.ts';

interface Renaming {
  outbox: Pick<Outbox, 'server'>;
}

/** Maps ids on the server to local ids; empty if the local session with that id is a different session there. */
export function localIds({ outbox }: Renaming): (remoteId: string) => string {
  const renamed = outbox.server.renamed();
  const here = new Map(renamed.map(({ sessionId, remoteId }) => [remoteId, sessionId]));
  const elsewhere = new Set(renamed.map(({ sessionId }) => sessionId));
  return (id) => here.get(id) ?? (elsewhere.has(id) ? '' : id);
}

export function remoteIds({ outbox }: Renaming): (localId: string) => string {
  const there = new Map(outbox.server.renamed().map(({ sessionId, remoteId }) => [sessionId, remoteId]));
  return (id) => there.get(id) ?? id;
}
