import type { Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { commandLine, startLine } from '../../domain/machine/shell.ts';
import { cannotRestore } from '../../domain/session/missing-parts.ts';
import { idToType, nativeId } from '../../domain/session/session-id.ts';
import { bytes as bytesText, dateTime, plural } from '../../domain/text/time-text.ts';
import type { PresentFile, ThisMachine } from '../../ports/machine.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { isForAgent, type NamesHere, nameHere, wordsFor } from '../sessions/name-here.ts';
import { type Comparison, compareTranscript } from './compare-transcript.ts';
import { type PutDependencies, putTranscript, type Threads } from './put-transcript.ts';
import { type ArchivedCopy, fromArchives, longestFirst } from './read-archives.ts';
import { restoreSubagents } from './restore-subagents.ts';

export interface RestoreDependencies extends NamesHere, PutDependencies {
  sources: TranscriptSource[];
  machine: ThisMachine;
  threads: Threads;
  /** In order of preference. */
  archives: ArchiveReader[];
  /** Records the new id if a session's transcript is restored under another one. */
  sharing?: () => Promise<{ noteName(name: string, sessionId: string): void } | null>;
}

/** `machine` is absent if unknown. */
type RestorableSession = { session_id: string; agent: Agent; machine?: string; jsonl_path?: string };

interface RestoreRequest {
  session: RestorableSession;
  /** The folder in which the session will be resumed or forked. */
  directory: string;
  /** Only reports what would be done. */
  dryRun?: boolean;
}

/**
 * `restored`: there was no file. `replaced`: the file was a prefix of the archived transcript. `unchanged`: the file has the same
 * bytes. `longer`: the file continues the archived transcript.
 */
export type RestoreState = 'restored' | 'replaced' | 'unchanged' | 'longer';

/** The shape of `restore --json`. Fields may be added, never changed. */
export interface Restored {
  session_id: string;
  agent: Agent;
  state: RestoreState;
  /** False for a dry run. */
  done: boolean;
  /** Where it is; the last one of `files`. */
  path: string;
  /** The files that hold it together, if they are several. */
  files?: string[];
  /** Size of the archived transcript. */
  bytes: number;
  content_hash: string;
  /** Number of secrets and private passages removed before archiving; 0: the bytes are the agent's own. */
  redacted: number;
  /** Name of the archive. */
  from: string;
  resume_command: string;
  fork_command: string;
  /** Ids of parent sessions that were restored too. */
  parents: string[];
  /** Ids of subagents whose transcripts were restored too; absent if there are none. */
  subagents?: string[];
  notes: string[];
}

/**
 * Restores a transcript byte for byte to the path at which the agent looks for it. Replaces an existing file only if that is a
 * prefix of the archived transcript. Null if no archive has the session.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE if another transcript is in the way, the copy is damaged, or writing fails; what
 * `ThreadRestores` throws
 */
export async function restoreSession(
  deps: RestoreDependencies,
  request: RestoreRequest,
): Promise<Restored | null> {
  const { session } = request;
  const source = sourceOf(deps.sources, session.agent);
  const name = nameHere(deps, session);
  if (source.bytes?.restorePath === undefined) throw cannotRestore(session.agent, session.session_id);
  if (!isForAgent(source, name)) throw noPlace(session);
  const restored = await restoreFile(deps, source, session.session_id, name, request);
  if (restored === null) return null;
  const { parents, notes } = await restoreParents(deps, source, request, restored.path);
  const subagents =
    request.dryRun === true
      ? { restored: [], notes: [] }
      : await restoreSubagents(deps, source, session.session_id, restored.path, request.directory);
  return {
    ...reportOf(deps, source, request, name, restored),
    parents,
    subagents: subagents.restored.length > 0 ? subagents.restored : undefined,
    notes: [...redactionNote(restored), ...notes, ...subagents.notes],
  };
}

/** The user must be told that a redacted transcript is not what the agent wrote. */
function redactionNote({ copy, state }: { copy: ArchivedCopy; state: RestoreState }): string[] {
  const { redacted } = copy.transcript;
  if (redacted === undefined || state === 'longer') return [];
  return [
    `${plural(redacted.places, 'secret or private passage', 'secrets and private passages')} removed before archiving: the file differs from the agent's original.`,
  ];
}

interface RestoredFile {
  path: string;
  files: string[];
  state: RestoreState;
  copy: ArchivedCopy;
}

async function restoreFile(
  deps: RestoreDependencies,
  source: TranscriptSource,
  sessionId: string,
  name: string,
  { session, directory, dryRun }: RestoreRequest,
): Promise<RestoredFile | null> {
  const { archives, transcripts, sharing } = deps;
  return fromArchives(await longestFirst(archives, sessionId), sessionId, async (copy, read) => {
    // The id may come from a hostile source; the path must stay inside the agent's folder.
    if (/[/\\\0]/.test(name)) throw noFileName(name);
    const path = source.locate(name) ?? source.bytes?.restorePath?.(name, directory, session.jsonl_path);
    if (path === undefined) return null;
    const present = transcripts.look(path);
    const state = await stateOf(deps, source, path, present, read());
    if (state === 'different') throw inTheWay(path, present, copy);
    const writes = state === 'restored' || state === 'replaced';
    if (state === 'replaced') refuseWhileOpen(source, name, path);
    // Recorded before the file exists, because an indexer may pick it up at once.
    if (writes && dryRun !== true && name !== nativeId(name) && name !== sessionId)
      (await sharing?.())?.noteName(name, sessionId);
    const files =
      writes && dryRun !== true
        ? await putTranscript(deps, source, { sessionId: name, path, directory }, read, present)
        : [];
    // An earlier run may have been killed after it put the file in place.
    if (!writes && dryRun !== true) transcripts.removeAbandoned(path);
    return { path: files.at(-1) ?? path, files, state, copy };
  });
}

function noPlace({ agent, session_id }: RestorableSession): SmartForkError {
  const message = `cannot restore ${session_id}: ${agent} finds sessions by id, and another session here has the id ${nativeId(session_id)}`;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', message, {
    hint: `Inject its context instead: smart-fork fork ${idToType(session_id)} --inject`,
  });
}

function noFileName(sessionId: string): SmartForkError {
  const message = `the id "${sessionId}" is not a valid file name, so agents cannot find the session`;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', message, {
    hint: 'smart-fork retrieve still prints its context.',
  });
}

async function stateOf(
  { threads }: RestoreDependencies,
  source: TranscriptSource,
  path: string,
  present: PresentFile | null,
  copy: AsyncIterable<Uint8Array>,
): Promise<RestoreState | 'different'> {
  if (present === null) {
    // A session in a database is no file.
    const isThere = threads[source.agent]?.restores?.holds(path) ?? source.inspect(path) !== null;
    if (!isThere) return 'restored';
  }
  const found = await comparison(source, path, copy);
  if (found === 'same') return 'unchanged';
  if (found === 'longer') return 'longer';
  // Never write plain bytes into a file whose name says that it is compressed.
  return found === 'shorter' && path.endsWith('.jsonl') ? 'replaced' : 'different';
}

async function comparison(
  { bytes }: TranscriptSource,
  path: string,
  copy: AsyncIterable<Uint8Array>,
): Promise<Comparison> {
  const parts = bytes?.parts(path, 0) ?? [];
  const text = bytes?.comparableText;
  if (text === undefined) return compareTranscript(parts, copy);
  const whole = async (all: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => {
    const held: Uint8Array[] = [];
    for await (const part of all) held.push(part);
    return [Buffer.from(text(Buffer.concat(held).toString()))];
  };
  return compareTranscript(await whole(parts), await whole(copy));
}

function inTheWay(path: string, present: PresentFile | null, { transcript }: ArchivedCopy): SmartForkError {
  const there =
    present === null
      ? ''
      : ` (${bytesText(present.size)}, written ${dateTime(new Date(present.mtimeMs).toISOString())})`;
  return new SmartForkError(
    'TRANSCRIPT_UNREADABLE',
    `${path}${there} differs from the archived transcript of this session (${bytesText(transcript.bytes)}${transcript.redacted === undefined ? '' : ', redacted'}); it was not changed`,
    {
      hint:
        present === null
          ? 'Continue with it, or delete it in the agent and run restore again.'
          : 'Continue with the existing file, or move it away and run restore again.',
    },
  );
}

function refuseWhileOpen(source: TranscriptSource, sessionId: string, path: string): void {
  const [process] = source.processes?.of(sessionId) ?? [];
  if (process === undefined) return;
  throw new SmartForkError(
    'TRANSCRIPT_UNREADABLE',
    `process ${process.pid} has the session of ${path} open`,
    {
      hint: 'End that process first: it is still writing to the file.',
    },
  );
}

/** A fork may contain only its own lines, so its parents are restored too. */
async function restoreParents(
  deps: RestoreDependencies,
  source: TranscriptSource,
  request: RestoreRequest,
  path: string,
): Promise<{ parents: string[]; notes: string[] }> {
  const [parents, notes]: [string[], string[]] = [[], []];
  const file = request.dryRun === true ? null : source.inspect(path);
  if (file === null || source.readInherited === undefined) return { parents, notes };
  const tried = new Set<string>([request.session.session_id]);
  for (;;) {
    const missingParents = source.readInherited(file, source.find(), () => undefined);
    const next = missingParents.find((id) => !tried.has(id));
    if (next === undefined) return { parents, notes };
    tried.add(next);
    try {
      const parent = await restoreFile(deps, source, next, next, request);
      if (parent !== null) parents.push(next);
      else
        notes.push(
          `It continues session ${next}, which is neither on this machine nor archived: ${INCOMPLETE}`,
        );
    } catch (error) {
      // The session itself is restored, so a missing parent is a note and not a failure.
      if (!(error instanceof SmartForkError)) throw error;
      notes.push(`It continues session ${next}, which cannot be restored (${error.message}): ${INCOMPLETE}`);
    }
  }
}

const INCOMPLETE = 'the conversation before the fork is missing.';

function reportOf(
  { machine }: RestoreDependencies,
  source: TranscriptSource,
  { session, directory, dryRun }: RestoreRequest,
  name: string,
  { path, files, state, copy }: RestoredFile,
): Omit<Restored, 'parents' | 'notes'> {
  const { session_id, agent } = session;
  // A session archived by the agent must be unarchived before it is resumed.
  const archived = source.inspect(path)?.archived;
  const { resume, fork, first } = wordsFor(source, { sessionId: name, path, archived }, directory);
  const retrieve = ['smart-fork', 'retrieve', session_id];
  const line = (words: string[] | null) =>
    words === null
      ? commandLine(retrieve, null, machine.shell)
      : startLine({ words, directory, first }, machine.shell);
  return {
    session_id,
    agent,
    state,
    done: dryRun !== true,
    path,
    files: files.length > 1 ? files : undefined,
    bytes: copy.transcript.bytes,
    content_hash: copy.transcript.contentHash,
    redacted: copy.transcript.redacted?.places ?? 0,
    from: copy.archive.name,
    resume_command: line(resume),
    fork_command: line(fork),
  };
}

/** @throws SmartForkError USAGE for an unknown agent */
export function sourceOf(sources: TranscriptSource[], agent: Agent): TranscriptSource {
  const source = sources.find((one) => one.agent === agent);
  if (source === undefined) throw new SmartForkError('USAGE', `unknown agent: ${agent}`);
  return source;
}
