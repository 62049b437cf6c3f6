import { forEachParallel } from '../../../domain/for-each-parallel.ts';
import type { ArchiveCommit, SharedWritten, TranscriptsToSend } from '../../../ports/remote-store.ts';
import { pointsOfSessions } from '../collection/tombstones.ts';
import type { Connection } from '../http/connection.ts';
import { sendInBatches } from '../http/send-in-batches.ts';
import type { UpdateOperation } from '../types.ts';
import { MANIFEST, manifestFields, putParts, removeUnnamed } from './archive-points.ts';
import { commitOperations, commitTranscript } from './commit-operations.ts';
import { type Before, readAfter } from './session-state.ts';
import type { CountedChange, WriteContext } from './write-sessions.ts';

/** A session that is about to be written. */
export interface OpenSession {
  sessionId: string;
  /** That it has then. */
  contentHash: string;
  /** Null: its transcript alone. */
  counted: CountedChange | null;
}

export type Settled = Omit<SharedWritten, 'storeId'>;

/** Transcripts that are prepared at a time: one is compressed while others are under way. */
const SIDE_BY_SIDE = 4;

/** What sessions are committed with. */
export interface Commits {
  before: Before;
  /** Length of sessions. */
  average: number;
  /** Texts that go with the commit. */
  textsOf(counted: CountedChange): UpdateOperation[];
  prepare: TranscriptsToSend['prepare'];
  /** Parts of transcripts to be deleted. */
  outgrown: string[];
}

/** What was sent of the transcript of each session that something was sent of. */
export async function sendCommits(
  { connection, batches }: WriteContext,
  open: OpenSession[],
  commits: Commits,
): Promise<Map<string, ArchiveCommit | null>> {
  const { before, prepare, outgrown } = commits;
  const { hasConditions } = await connection.version();
  const sent = new Map<string, ArchiveCommit | null>();
  await sendInBatches(connection, batches, async (add) => {
    if (outgrown.length > 0) await add([{ delete: { points: outgrown } }]);
    await forEachParallel(open, SIDE_BY_SIDE, async (session) => {
      const { sessionId, counted } = session;
      const transcript = await prepare(sessionId, before.manifests.get(sessionId) ?? null);
      if (counted === null && transcript === null) return;
      await add(operationsOf(session, transcript, commits, hasConditions));
      sent.set(sessionId, transcript);
    });
  });
  return sent;
}

/** In this order: a reader finds the old state or the new one. */
function operationsOf(
  { sessionId, contentHash, counted }: OpenSession,
  transcript: ArchiveCommit | null,
  { before, average, textsOf }: Commits,
  hasConditions: boolean,
): UpdateOperation[] {
  const parts = transcript === null ? [] : putParts(transcript);
  if (counted === null)
    return transcript === null ? [] : [...parts, commitTranscript(transcript, contentHash)];
  const state = before.states.get(sessionId) ?? null;
  const commit = commitOperations(counted, state, average, hasConditions, transcript);
  return [...textsOf(counted), ...parts, ...commit];
}

/**
 * Finds the sessions that another machine wrote at the same moment. What was forgotten while it was written goes again, and
 * so does what a transcript that is there now does not name.
 */
export async function settleCommits(
  connection: Connection,
  open: OpenSession[],
  sent: Map<string, ArchiveCommit | null>,
): Promise<Settled> {
  const transcripts = [...sent.values()].filter((commit) => commit !== null);
  const ids = open.flatMap(({ sessionId }) => (sent.has(sessionId) ? [sessionId] : []));
  if (ids.length === 0) return { conflicts: [], outgrown: [] };
  const { states, forgotten } = await readAfter(connection, ids, transcripts.length > 0);
  if (forgotten.size > 0) await connection.deletePoints(pointsOfSessions([...forgotten]));
  const isThere = ({ sessionId, contentHash }: OpenSession) => {
    const transcript = sent.get(sessionId);
    if (transcript === undefined) return true;
    const state = states.get(sessionId);
    if (forgotten.has(sessionId) || state?.hash !== contentHash) return false;
    return transcript === null || state.manifest === manifestFields(transcript)[MANIFEST];
  };
  const conflicts = new Set(open.filter((one) => !isThere(one)).map(({ sessionId }) => sessionId));
  const replaced = transcripts.filter(({ sessionId }) => !conflicts.has(sessionId));
  const cleans = replaced.filter((transcript) => transcript.cleans).map(removeUnnamed);
  if (cleans.length > 0) await connection.update(cleans);
  const outgrown = replaced.flatMap((transcript) => (transcript.cleans ? [] : transcript.outgrown));
  return { conflicts: [...conflicts], outgrown };
}
