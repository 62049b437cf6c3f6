import { type Problem, problemOf, SmartForkError } from '../../../domain/errors.ts';
import type { Coverage } from '../../../domain/search/search.ts';
import { checkOf, type DoctorCheck, type ServerState } from '../../../domain/server-state.ts';
import { plural } from '../../../domain/text/time-text.ts';
import type { Outbox } from '../../../ports/outbox.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';

interface ServerPlace {
  outbox: Outbox;
  remote: () => Promise<RemoteStore>;
  address: string;
  collection: string;
  /** Why a server that embeds last refused to. */
  notEmbedded: () => Problem | null;
}

/** The state of the server and of what is being sent to it. Never throws because of the server. */
export async function readServerState({
  outbox,
  remote,
  address,
  collection,
  notEmbedded,
}: ServerPlace): Promise<ServerState> {
  const { waiting, failing, since } = outbox.counts();
  const pause = waiting > 0 ? outbox.server.notes().pause : null;
  const problem = pause && problemOf(pause);
  const base = {
    address,
    collection,
    outbox: { waiting, failing, since: timeOf(since), next_try: timeOf(pause?.until ?? null) },
  };
  let store: RemoteStore | null = null;
  try {
    store = await remote();
    const [{ version }, layout, { sessions, bytes, waiting }] = await Promise.all([
      store.describe(),
      store.layout(),
      store.count(),
    ]);
    const embedding = embeddingState(store, waiting, notEmbedded);
    const answer = { version, layout, sessions, bytes, read_only: false, missing: false };
    return { ...base, ...answer, problem, embedding };
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    const missing = error.code === 'COLLECTION_MISSING';
    const size = missing ? 0 : null;
    const read_only = error.code === 'LEGACY_COLLECTION';
    const layout = missing ? null : await layoutOf(store);
    const none = { version: null, layout, sessions: size, bytes: size, read_only, embedding: null };
    return { ...base, ...none, missing, problem: missing ? problem : problemOf(error) };
  }
}

/** A server with a lost node refuses to search, but still says which shards are unavailable. */
async function layoutOf(store: RemoteStore | null): Promise<ServerState['layout']> {
  try {
    return (await store?.layout()) ?? null;
  } catch (error) {
    // The caller has already reported why the server does not answer.
    if (!(error instanceof SmartForkError)) throw error;
    return null;
  }
}

function embeddingState(
  store: RemoteStore,
  waiting: Coverage['waiting'],
  notEmbedded: ServerPlace['notEmbedded'],
): ServerState['embedding'] {
  if (store.embedding === undefined) return null;
  const refusal = notEmbedded();
  return { model: store.embedding.model.id, waiting, problem: refusal && problemOf(refusal) };
}

export function checkServer(state: ServerState): DoctorCheck[] {
  const { problem, outbox } = state;
  const checks: DoctorCheck[] = [checkAnswer(state)];
  if (outbox.waiting > 0) {
    const message = `${plural(outbox.waiting, 'session')} not sent yet`;
    // The check above has reported an unreachable server.
    const told = checks.some(({ status }) => status !== 'ok');
    const reason = problem === null || told ? '' : `: ${problem.message}`;
    const fix = told
      ? 'They will be sent when the server is available.'
      : (problem?.hint ?? 'smart-fork index sends them now.');
    checks.push({ name: 'Outbox', status: 'warn', message: message + reason, fix });
  }
  const gone = state.layout?.unavailable ?? [];
  if (gone.length > 0) {
    const message = `no node answers for ${plural(gone.length, 'shard')} of ${state.layout?.shards}: the server cannot be searched`;
    checks.push({
      name: 'Shards',
      status: 'fail',
      message,
      fix: 'Start the missing nodes of the Qdrant cluster.',
    });
  }
  const notEmbedded = state.embedding?.problem ?? null;
  if (notEmbedded !== null) checks.push(checkOf('Embeddings', 'warn', notEmbedded));
  return checks;
}

function checkAnswer({ problem, version, sessions, read_only, missing, ...place }: ServerState): DoctorCheck {
  const name = 'Server';
  if (missing) {
    const message = `${place.address} answers; the collection ${place.collection} does not exist yet`;
    return { name, status: 'ok', message: `${message}: smart-fork index creates it` };
  }
  const message = `Qdrant ${version ?? 'of unknown version'} at ${place.address}, ${place.collection}: ${plural(sessions ?? 0, 'session')}`;
  if (problem !== null && sessions === null) return checkOf(name, read_only ? 'warn' : 'fail', problem);
  return { name, status: 'ok', message };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
