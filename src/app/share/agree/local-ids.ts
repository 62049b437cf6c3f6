import type { Outbox } from '../../../ports/outbox.ts';

/** Maps ids on the server to local ids; empty when the local session with that id is another one there. */
export function localIds({ outbox }: { outbox: Pick<Outbox, 'renamed'> }): (remoteId: string) => string {
  const renamed = outbox.renamed();
  const here = new Map(renamed.map(({ sessionId, remoteId }) => [remoteId, sessionId]));
  const elsewhere = new Set(renamed.map(({ sessionId }) => sessionId));
  return (id) => here.get(id) ?? (elsewhere.has(id) ? '' : id);
}
