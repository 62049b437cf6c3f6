import { forEachParallel } from '../../../domain/for-each-parallel.ts';
import type { ArchiveCommit, SharedWritten, TranscriptsToSend } from '../../../ports/remote-store.ts';
import { pointsOfSessions } from '../collection/tombstones.ts';
import type { Connection } from '../http/connection.ts';
import { updateInBatches } from '../http/send-in-batches.ts';
import { MANIFEST } from '../schema/stored-payload.ts';
import type { UpdateOperation } from '../types.ts';
import { manifestFields, putParts, removeUnnamed } from './archive-points.ts';
import { commitOperations, commitTranscript } from './commit-operations.ts';
import type { CountedChange, WriteContext } from './count-change.ts';
import { type Before, readAfter } from './session-state.ts';

/** A session about to be written. */
export interface OpenSession {
  sessionId: string;
  /** After the write. */
  contentHash: string;
  /** Null if only its transcript is written. */
  counted: CountedChange | null;
}

export type Verified = Pick<SharedWritten, 'conflicts' | 'superseded'>;

/** Transcripts prepared at once: one is compressed while others are being sent. */
const PARALLEL = 4;

export interface Commits {
  before: Before;
  /** Operations for the texts sent along with the commit. */
  textsOf(counted: CountedChange): UpdateOperation[];
  prepare: TranscriptsToSend['prepare'];
  /** Parts of transcripts to delete. */
  superseded: string[];
}

/** Resolves to the sessions sent, each with the commit of its transcript; null if only the session was sent. */
export async function sendCommits(
  { connection, batches }: WriteContext,
  open: OpenSession[],
  commits: Commits,
): Promise<Map<string, ArchiveCommit | null>> {
  const { before, prepare, superseded } = commits;
  const sent = new Map<string, ArchiveCommit | null>();
  await updateInBatches(connection, batches, async (add) => {
    if (superseded.length > 0) await add([{ delete: { points: superseded } }]);
    await forEachParallel(open, PARALLEL, async (session) => {
      const { sessionId, counted } = session;
      const transcript = await prepare(sessionId, before.manifests.get(sessionId) ?? null);
      if (counted === null && transcript === null) return;
      await add(operationsOf(session, transcript, commits));
      sent.set(sessionId, transcript);
    });
  });
  return sent;
}

/** Ordered so that a reader sees either the old state or the new one. */
function operationsOf(
  { sessionId, contentHash, counted }: OpenSession,
  transcript: ArchiveCommit | null,
  { before, textsOf }: Commits,
): UpdateOperation[] {
  const parts = transcript === null ? [] : putParts(transcript);
  if (counted === null)
    return transcript === null ? [] : [...parts, commitTranscript(transcript, contentHash)];
  const state = before.states.get(sessionId) ?? null;
  return [...textsOf(counted), ...parts, ...commitOperations(counted, state, transcript)];
}

/**
 * Finds the sessions that another machine wrote at the same moment. Deletes sessions that were forgotten in the meantime, and parts
 * that the new manifests no longer name.
 */
export async function verifyCommits(
  connection: Connection,
  open: OpenSession[],
  sent: Map<string, ArchiveCommit | null>,
): Promise<Verified> {
  const transcripts = [...sent.values()].filter((commit) => commit !== null);
  const ids = open.flatMap(({ sessionId }) => (sent.has(sessionId) ? [sessionId] : []));
  if (ids.length === 0) return { conflicts: [], superseded: [] };
  const { states, forgotten } = await readAfter(connection, ids, transcripts.length > 0);
  if (forgotten.size > 0) await connection.deletePoints(pointsOfSessions([...forgotten]));
  const isCommitted = ({ sessionId, contentHash }: OpenSession) => {
    const transcript = sent.get(sessionId);
    if (transcript === undefined) return true;
    const state = states.get(sessionId);
    if (forgotten.has(sessionId) || state?.hash !== contentHash) return false;
    return transcript === null || state.manifest === manifestFields(transcript)[MANIFEST];
  };
  const conflicts = new Set(open.filter((one) => !isCommitted(one)).map(({ sessionId }) => sessionId));
  const replaced = transcripts.filter(({ sessionId }) => !conflicts.has(sessionId));
  const cleans = replaced.filter((transcript) => transcript.cleans).map(removeUnnamed);
  if (cleans.length > 0) await connection.update(cleans);
  const superseded = replaced.flatMap((transcript) => (transcript.cleans ? [] : transcript.superseded));
  return { conflicts: [...conflicts], superseded };
}
