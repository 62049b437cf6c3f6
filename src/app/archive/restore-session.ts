import { SmartForkError } from '../../domain/errors.ts';
import { commandLine, joinCommands } from '../../domain/machine/shell.ts';
import type { Agent } from '../../domain/session/session.ts';
import { nativeId } from '../../domain/session/session-id.ts';
import { bytes as bytesText, dateTime, plural } from '../../domain/text/time-text.ts';
import type { PresentFile, ThisMachine, TranscriptFiles } from '../../ports/machine.ts';
import type { ArchiveReader, SessionRestorer } from '../../ports/session-archive.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { isForAgent, type NamesHere, nameHere, resumeWords } from '../sessions/name-here.ts';
import { compareTranscript } from './compare-transcript.ts';
import { fromArchives, type Kept, longestFirst } from './read-archives.ts';

export interface RestoreDependencies extends NamesHere {
  sources: TranscriptSource[];
  machine: ThisMachine;
  /** Asked in this order. */
  archives: ArchiveReader[];
  transcripts: TranscriptFiles;
  /** Told when a session's transcript is restored under another id. */
  sharing?: () => Promise<{ noteName(name: string, sessionId: string): void } | null>;
}

/** Without its machine: as far as it is known. */
type RestorableSession = { session_id: string; agent: Agent; machine?: string };

export interface RestoreRequest {
  session: RestorableSession;
  /** Where the session will be resumed or forked: the agent finds it from there. */
  directory: string;
  /** Only says what would be done. */
  dryRun?: boolean;
}

/**
 * `restored`: there was none. `replaced`: a beginning of it was there. `unchanged`: it is there. `longer`: what is there has
 * gone on since, and holds all of it.
 */
export type RestoreState = 'restored' | 'replaced' | 'unchanged' | 'longer';

/** The shape of `restore --json`: additions only. */
export interface Restored {
  session_id: string;
  agent: Agent;
  state: RestoreState;
  /** False for what was only looked at. */
  done: boolean;
  path: string;
  /** Of the transcript as it was kept. */
  bytes: number;
  content_hash: string;
  /** Secrets and private passages that were taken out before it was kept; 0: these are the bytes that the agent wrote. */
  redacted: number;
  /** The archive it came from. */
  from: string;
  resume_command: string;
  fork_command: string;
  /** Sessions that this one continues, which came back with it. */
  parents: string[];
  notes: string[];
}

/**
 * Brings a transcript back byte for byte to where the agent finds it. What lies there is only replaced when it is the beginning
 * of what was kept. Null when no archive has the session.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE when another transcript is in the way, or the copy is damaged or cannot be written
 */
export async function restoreSession(
  deps: RestoreDependencies,
  request: RestoreRequest,
): Promise<Restored | null> {
  const { session } = request;
  const source = sourceOf(deps.sources, session.agent);
  const name = nameHere(deps, session);
  if (!isForAgent(source, name)) throw noPlace(session);
  const restored = await putBack(deps, source, session.session_id, name, request);
  if (restored === null) return null;
  const { parents, notes } = await restoreParents(deps, source, request, restored.path);
  return {
    ...reportOf(deps, source, request, name, restored),
    parents,
    notes: [...redactionNote(restored), ...notes],
  };
}

/** Redacted or not: what is there after `restore` is not what the agent wrote. */
function redactionNote({ kept, state }: { kept: Kept; state: RestoreState }): string[] {
  const { redacted } = kept.transcript;
  if (redacted === undefined || state === 'longer') return [];
  return [
    `${plural(redacted.places, 'secret or private passage', 'secrets and private passages')} of it had been taken out before it was kept: it is not byte for byte what the agent wrote.`,
  ];
}

interface PutBack {
  path: string;
  state: RestoreState;
  kept: Kept;
}

async function putBack(
  { archives, transcripts, sharing }: RestoreDependencies,
  source: TranscriptSource,
  sessionId: string,
  name: string,
  { directory, dryRun }: RestoreRequest,
): Promise<PutBack | null> {
  return fromArchives(await longestFirst(archives, sessionId), sessionId, async (kept, read) => {
    // An id may come from a transcript's text; it must not lead out of the agent's folder.
    if (/[/\\\0]/.test(name)) throw noFileName(name);
    const path = source.locate(name) ?? source.restorePath(name, directory);
    const present = transcripts.look(path);
    const state = await stateOf(source, path, present, read());
    if (state === 'different') throw inTheWay(path, present, kept);
    const writes = state === 'restored' || state === 'replaced';
    if (state === 'replaced') refuseWhileOpen(source, name, path);
    // Before it is there: whatever indexes it must know whose it is.
    if (writes && dryRun !== true && name !== nativeId(name) && name !== sessionId)
      (await sharing?.())?.noteName(name, sessionId);
    if (writes && dryRun !== true) await transcripts.write(path, read(), present);
    return { path, state, kept };
  });
}

function noPlace({ agent, session_id }: RestorableSession): SmartForkError {
  const message = `${agent} goes by a session's id alone, and ${nativeId(session_id)} is that of another conversation too: ${session_id} cannot be restored for it`;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', message, {
    hint: `Take its context along: smart-fork fork ${session_id} --inject`,
  });
}

function noFileName(sessionId: string): SmartForkError {
  const message = `the id "${sessionId}" makes no file name: no agent would find it`;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', message, {
    hint: 'Its context is kept: smart-fork retrieve prints it.',
  });
}

async function stateOf(
  source: TranscriptSource,
  path: string,
  present: PresentFile | null,
  kept: AsyncIterable<Uint8Array>,
): Promise<RestoreState | 'different'> {
  if (present === null) return 'restored';
  const found = await compareTranscript(source.readParts(path, 0), kept);
  if (found === 'same') return 'unchanged';
  if (found === 'longer') return 'longer';
  // Plain bytes do not belong into a compressed file.
  return found === 'shorter' && path.endsWith('.jsonl') ? 'replaced' : 'different';
}

function inTheWay(path: string, present: PresentFile | null, { transcript }: Kept): SmartForkError {
  const there =
    present === null
      ? ''
      : ` (${bytesText(present.size)}, written ${dateTime(new Date(present.mtimeMs).toISOString())})`;
  return new SmartForkError(
    'TRANSCRIPT_UNREADABLE',
    `${path}${there} is another transcript of this session than the one that was kept (${bytesText(transcript.bytes)}${transcript.redacted === undefined ? '' : ', redacted'}): it was left alone`,
    {
      hint: 'Go on with the one that is there, or move it away and restore again.',
    },
  );
}

function refuseWhileOpen(source: TranscriptSource, sessionId: string, path: string): void {
  const [process] = source.liveProcesses(sessionId);
  if (process === undefined) return;
  throw new SmartForkError(
    'TRANSCRIPT_UNREADABLE',
    `process ${process.pid} has the session of ${path} open`,
    {
      hint: 'End it first: it goes on writing to what is there.',
    },
  );
}

/** A session that holds only what came after its fork is nothing without the one that it was forked from. */
async function restoreParents(
  deps: RestoreDependencies,
  source: TranscriptSource,
  request: RestoreRequest,
  path: string,
): Promise<{ parents: string[]; notes: string[] }> {
  const [parents, notes]: [string[], string[]] = [[], []];
  const file = request.dryRun === true ? null : source.inspect(path);
  if (file === null || source.readWhole === undefined) return { parents, notes };
  const tried = new Set<string>([request.session.session_id]);
  for (;;) {
    const { missingParents } = source.readWhole(file, source.find(), () => undefined);
    const next = missingParents.find((id) => !tried.has(id));
    if (next === undefined) return { parents, notes };
    tried.add(next);
    try {
      const parent = await putBack(deps, source, next, next, request);
      if (parent !== null) parents.push(next);
      else notes.push(`It continues session ${next}, which is neither here nor kept: ${INCOMPLETE}`);
    } catch (error) {
      // What was asked for is there; that is not undone, nor called a failure.
      if (!(error instanceof SmartForkError)) throw error;
      notes.push(`It continues session ${next}, which cannot be restored (${error.message}): ${INCOMPLETE}`);
    }
  }
}

const INCOMPLETE = 'what was said before the fork is missing.';

function reportOf(
  { machine }: RestoreDependencies,
  source: TranscriptSource,
  { session, directory, dryRun }: RestoreRequest,
  name: string,
  { path, state, kept }: PutBack,
): Omit<Restored, 'parents' | 'notes'> {
  const { session_id, agent } = session;
  const target = source.resumeTarget({ sessionId: name, path }, directory);
  // One that the agent has set aside must be taken back first.
  const archived = source.inspect(path)?.archived === true;
  const first = archived ? source.restoreCommand?.(name) : undefined;
  const line = (words: string[]) => {
    const command = commandLine(words, directory, machine.shell);
    return first === undefined
      ? command
      : joinCommands([commandLine(first, null, machine.shell), command], machine.shell);
  };
  return {
    session_id,
    agent,
    state,
    done: dryRun !== true,
    path,
    bytes: kept.transcript.bytes,
    content_hash: kept.transcript.contentHash,
    redacted: kept.transcript.redacted?.places ?? 0,
    from: kept.archive.name,
    resume_command: line(resumeWords(source, name, target)),
    fork_command: line(source.forkCommand(target)),
  };
}

function sourceOf(sources: TranscriptSource[], agent: Agent): TranscriptSource {
  const source = sources.find((one) => one.agent === agent);
  if (source === undefined) throw new SmartForkError('USAGE', `${agent} is not an agent that is known here`);
  return source;
}

/** The restorer that forks use. */
export function createSessionRestorer(deps: RestoreDependencies): SessionRestorer {
  return {
    async restore(session, directory) {
      const restored = await restoreSession(deps, { session, directory });
      if (restored === null) return null;
      return { path: restored.path, created: restored.state === 'restored', notes: restored.notes };
    },
  };
}
