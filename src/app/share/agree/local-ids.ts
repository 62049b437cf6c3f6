import type { Outbox } from '../../../ports/outbox.ts';

/** What a session's id is in the local store; empty when what has that id here is another session there. */
export function localIds({ outbox }: { outbox: Pick<Outbox, 'renamed'> }): (remoteId: string) => string {
  const renamed = outbox.renamed();
  const here = new Map(renamed.map(({ sessionId, remoteId }) => [remoteId, sessionId]));
  const elsewhere = new Set(renamed.map(({ sessionId }) => sessionId));
  return (id) => here.get(id) ?? (elsewhere.has(id) ? '' : id);
}
