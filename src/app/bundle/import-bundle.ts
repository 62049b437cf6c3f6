import type { BundledTranscript, Places } from '../../domain/bundle/bundle-format.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { isMemory, type SessionPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import { transcriptHash } from '../../domain/point/session-points.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import { subagentId } from '../../domain/session/session-id.ts';
import type { Progress } from '../../domain/summary.ts';
import { nodeCrypto } from '../../domain/text/hash.ts';
import type { BundleFile, OpeningKey } from '../../ports/bundle/bundle-file.ts';
import type { TranscriptFiles } from '../../ports/machine.ts';
import { type PointStore, tokenizeChange } from '../../ports/point-store.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { PART_BYTES, type SessionArchive } from '../../ports/session-archive.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import type { PrivacyRules } from '../privacy/privacy-rules.ts';
import { type PrivacySubject, recordedSubject } from '../privacy/privacy-subject.ts';
import { getSession } from '../sessions/get-session.ts';
import { type BundledSession, readBundle } from './read-bundle.ts';
import { redactBundled } from './redact-bundled.ts';

export interface ImportDependencies {
  bundle: BundleFile;
  /** Opens or creates the store, once the whole bundle has been checked. */
  store: () => Promise<PointStore>;
  archive: SessionArchive;
  sources: TranscriptSource[];
  transcripts: TranscriptFiles;
  tokenizer: LexicalTokenizer;
  redactor: Redactor;
  privacy: PrivacyRules;
  /** Ids of sessions forgotten on this machine. */
  forgotten: () => Set<string>;
}

/** The JSON of `import` (docs/json.md). */
export interface BundleReport {
  file: string;
  /** Number of sessions in the bundle. */
  sessions: number;
  imported: string[];
  /** Ids of sessions that were here already. */
  same: string[];
  /** Ids of sessions that are here in another state and were left alone. */
  different: string[];
  left_out: { session_id: string; reason: 'forgotten' | 'excluded' }[];
  /** False for a dry run. */
  done: boolean;
  interrupted: boolean;
}

interface ImportOptions {
  dryRun: boolean;
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/**
 * Imports sessions into the index and their transcripts into the archive. Reads the bundle twice: first to check it completely, then to
 * write. A session's transcripts are written before the session itself, so an interrupted import can be repeated.
 */
export async function importBundle(
  deps: ImportDependencies,
  key: OpeningKey,
  { dryRun, signal, onProgress }: ImportOptions,
): Promise<BundleReport> {
  const report = emptyReport(deps.bundle.path, !dryRun);
  const wanted = await checkBundle(deps, key, signal, report);
  if (dryRun) {
    report.imported = [...wanted];
    return report;
  }
  let current: BundledSession | null = null;
  const write = async () => {
    if (current !== null) await writeSession(deps, current, report);
    current = null;
  };
  const entries = wanted.size === 0 ? null : deps.bundle.read(key, signal);
  if (entries === null) return report;
  try {
    await readBundle(entries, {
      async session(found, total) {
        await write();
        signal.throwIfAborted();
        if (wanted.has(found.session.session_id)) current = found;
        const done = report.imported.length;
        onProgress?.({ unit: 'session', done, total, label: found.session.repo_name });
      },
      async transcript(about, content) {
        if (current === null) await skip(content);
        else await archive(deps, current.session, about, content);
      },
    });
    await write();
  } catch (error) {
    if (!signal.aborted) throw error;
    report.interrupted = true;
  }
  return report;
}

/** Reads the whole bundle and decides which sessions to write. */
async function checkBundle(
  deps: ImportDependencies,
  key: OpeningKey,
  signal: AbortSignal,
  report: BundleReport,
): Promise<Set<string>> {
  const found: Checked[] = [];
  await readBundle(deps.bundle.read(key, signal), {
    async session({ session, places }) {
      const isAllowed = deps.privacy.allows(subjectOf(session, places));
      const { session_id: id, content_hash: contentHash } = session;
      found.push({ id, contentHash, isAllowed, hashes: new Map() });
    },
    async transcript({ agent_id }, content) {
      found.at(-1)?.hashes.set(agent_id, await hashOf(content));
    },
  });
  const wanted = new Set<string>();
  report.sessions = found.length;
  const archived = new Map((await deps.archive.list()).map(({ sessionId: id }) => [id.toLowerCase(), id]));
  for (const session of found) {
    const isOther = (archived.get(session.id.toLowerCase()) ?? session.id) !== session.id;
    // If file names ignore case, it would overwrite the other one.
    const state = isOther ? 'different' : await stateOf(deps, session);
    if (state === 'new') wanted.add(session.id);
    else if (state === 'same' || state === 'different') report[state].push(session.id);
    else report.left_out.push({ session_id: session.id, reason: state });
  }
  return wanted;
}

/** What is remembered of each session until the whole bundle has been checked. */
interface Checked {
  id: string;
  contentHash: string;
  isAllowed: boolean;
  /** Hashes of the transcripts, by subagent id; null for the session's own. */
  hashes: Map<string | null, string>;
}

function subjectOf(session: SessionPayload, { folders, branches, repositories }: Places): PrivacySubject {
  const subject = recordedSubject(session);
  const named = repositories.map((repoName) => ({ repoKey: null, repoName }));
  return {
    ...subject,
    workingDirectories: [...subject.workingDirectories, ...folders],
    branches: [...subject.branches, ...branches],
    repositories: [...subject.repositories, ...named],
  };
}

async function stateOf(
  { store, archive, sources, forgotten }: ImportDependencies,
  { id, contentHash, isAllowed, hashes }: Checked,
): Promise<'new' | 'same' | 'different' | 'forgotten' | 'excluded'> {
  if (forgotten().has(id)) return 'forgotten';
  if (!isAllowed) return 'excluded';
  const there = await getSession(await store(), id);
  if (there !== null && there.content_hash !== contentHash) return 'different';
  const isHere = sources.some((source) => source.locate(id) !== null);
  // The transcript itself is more complete than any copy.
  if (isHere) return there === null ? 'different' : 'same';
  let isComplete = there !== null;
  for (const [agentId, hash] of hashes) {
    const kept = await archive.find(nameOf(id, agentId)).catch(damagedCopy);
    if (kept !== null && kept.contentHash !== hash) return 'different';
    isComplete &&= kept !== null;
  }
  return isComplete ? 'same' : 'new';
}

async function archive(
  { archive, sources, transcripts }: ImportDependencies,
  session: SessionPayload,
  { agent_id, bytes }: BundledTranscript,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const source = sources.find(({ agent }) => agent === session.agent);
  const bytesOf = source?.bytes;
  if (bytesOf === undefined) return skip(content);
  const sessionId = nameOf(session.session_id, agent_id);
  await transcripts.borrowFolder(async (folder) => {
    const copy = `${folder}/${bytesOf.copyName(session.session_id)}`;
    await transcripts.write(copy, content, null);
    const mtimeMs = Date.parse(session.ended_at ?? '') || 0;
    const file = {
      agent: session.agent,
      sessionId,
      path: session.jsonl_path,
      size: bytes,
      mtimeMs,
      inode: 0,
    };
    await archive.save(file, (from) => bytesOf.parts(copy, from));
  });
}

async function writeSession(
  { store, tokenizer, redactor }: ImportDependencies,
  bundled: BundledSession,
  report: BundleReport,
): Promise<void> {
  const { session, points } = await redactBundled(redactor, bundled);
  const { session_id: id } = session;
  const upserts = points.map((payload) => ({ id: pointId(id, payload.type, payload.chunk_index), payload }));
  const passages = upserts.flatMap(({ payload, ...point }) =>
    isMemory(payload) ? [] : [{ ...point, payload }],
  );
  const change = {
    session: { id: pointId(id, 'session'), payload: session },
    upserts,
    points: passages,
    deletes: [],
    expected: null,
  };
  const local = await store();
  const before = await getSession(local, id);
  const written = before === null ? await local.write([tokenizeChange(change, tokenizer)]) : null;
  const isWritten = written !== null && written.conflicts.length === 0;
  // Another import may have written it first.
  const there = isWritten ? session : (before ?? (await getSession(local, id)));
  const isSame = there?.content_hash === session.content_hash;
  report[isSame ? 'imported' : 'different'].push(id);
}

function nameOf(sessionId: string, agentId: string | null): string {
  return agentId === null ? sessionId : subagentId(sessionId, agentId);
}

/** Same hash as the archive's: over parts of 1 MiB. */
async function hashOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const digests: string[] = [];
  let hash = nodeCrypto().createHash('sha256');
  let room = PART_BYTES;
  for await (let part of content) {
    while (part.length >= room) {
      digests.push(hash.update(part.subarray(0, room)).digest('hex'));
      part = part.subarray(room);
      hash = nodeCrypto().createHash('sha256');
      room = PART_BYTES;
    }
    hash.update(part);
    room -= part.length;
  }
  if (room < PART_BYTES) digests.push(hash.digest('hex'));
  return transcriptHash(digests);
}

async function skip(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content);
}

/** A damaged copy is replaced. */
function damagedCopy(error: unknown): null {
  if (error instanceof SmartForkError) return null;
  throw error;
}

function emptyReport(file: string, done: boolean): BundleReport {
  const none = { imported: [], same: [], different: [], left_out: [] };
  return { file, sessions: 0, ...none, done, interrupted: false };
}
