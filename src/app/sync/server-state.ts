import { SmartForkError } from '../../domain/errors.ts';
import type { DoctorCheck, ServerState } from '../../domain/result.ts';
import { plural } from '../../domain/time-text.ts';
import type { Refusal } from '../../ports/embedding-refusals.ts';
import type { Outbox } from '../../ports/outbox.ts';
import type { RemoteStore } from '../../ports/remote-store.ts';

interface ServerPlace {
  outbox: Outbox;
  remote: () => Promise<RemoteStore>;
  address: string;
  collection: string;
  /** What a server that embeds by itself last said against it. */
  notEmbedded: () => Refusal | null;
}

/** How it stands with the server. Never throws for what the server does. */
export async function readServerState({
  outbox,
  remote,
  address,
  collection,
  notEmbedded,
}: ServerPlace): Promise<ServerState> {
  const { waiting, failing, since } = outbox.counts();
  const pause = waiting > 0 ? outbox.pause() : null;
  const base = {
    address,
    collection,
    outbox: { waiting, failing, since: timeOf(since), next_try: timeOf(pause?.until ?? null) },
  };
  try {
    const store = await remote();
    const [{ version }, { sessions, bytes }, embedding] = await Promise.all([
      store.describe(),
      store.count(),
      readEmbedding(store, notEmbedded),
    ]);
    const problem = pause === null ? null : { message: pause.message, hint: pause.hint };
    return { ...base, version, sessions, bytes, problem, embedding };
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    const problem = { message: error.message, hint: error.hint ?? null };
    return { ...base, version: null, sessions: null, bytes: null, problem, embedding: null };
  }
}

async function readEmbedding(
  store: RemoteStore,
  notEmbedded: ServerPlace['notEmbedded'],
): Promise<ServerState['embedding']> {
  if (store.embedding === undefined) return null;
  const refusal = notEmbedded();
  return {
    model: store.embedding.model.id,
    waiting: await store.countWithoutVector(),
    problem: refusal === null ? null : { message: refusal.message, hint: refusal.hint },
  };
}

export function checkServer(state: ServerState): DoctorCheck[] {
  const { problem, outbox, version, sessions } = state;
  const place = `${state.address}, ${state.collection}`;
  const checks: DoctorCheck[] = [
    problem === null || sessions !== null
      ? {
          name: 'Server',
          status: 'ok',
          message: `Qdrant ${version ?? 'of unknown version'} at ${place}: ${plural(sessions ?? 0, 'session')}`,
        }
      : { name: 'Server', status: 'fail', message: problem.message, ...fixOf(problem) },
  ];
  if (outbox.waiting > 0) {
    const message = `${plural(outbox.waiting, 'session')} wait to be sent`;
    const reason = problem === null ? '' : `: ${problem.message}`;
    const fix = problem?.hint ?? 'smart-fork index sends them now.';
    checks.push({ name: 'Outbox', status: 'warn', message: message + reason, fix });
  }
  const notEmbedded = state.embedding?.problem ?? null;
  if (notEmbedded !== null)
    checks.push({ name: 'Embeddings', status: 'warn', message: notEmbedded.message, ...fixOf(notEmbedded) });
  return checks;
}

function fixOf({ hint }: { hint: string | null }): { fix?: string } {
  return hint === null ? {} : { fix: hint };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
