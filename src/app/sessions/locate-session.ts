import { commandLine, joinCommands, type Shell, startLine } from '../../domain/machine/shell.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import type { TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { isForAgent, type NamesHere, nameHere, needsPath, wordsFor } from './name-here.ts';
import { type FolderDependencies, findCheckout, startFolder } from './start-folder.ts';

/** Where a session's transcript is, and the commands that continue the session from there. */
export interface SessionLocation {
  /** The transcript on this machine, or null. */
  transcript: TranscriptFile | null;
  /** Whether the transcript comes from an archive: it is not on this machine, but can probably be restored. */
  restorable: boolean;
  /** The transcript used to be on this machine, and is now neither here nor archived. */
  gone?: true;
  canFork: boolean;
  /** Shell line that forks the session, restoring it first if needed; without a transcript, it prints the context. */
  command: string;
  /** Shell line that resumes the session; null without a transcript. */
  resume: string | null;
  /** The agent's words in `resume`; null if the transcript must be restored first. */
  resumeWords: string[] | null;
  /** The folder in which the agent must be started; null: any. */
  directory: string | null;
  /** Words of a command that must run before the agent starts, or null. */
  first: string[] | null;
}

export interface LocateDependencies extends NamesHere, FolderDependencies {
  sources: TranscriptSource[];
  archives: ArchiveReader[];
}

export function locateSession(deps: LocateDependencies, session: SessionPayload): SessionLocation {
  const source = sourceOf(deps, session);
  const transcript = source === undefined ? null : findTranscript(deps, source, session);
  if (source === undefined || transcript === null) return locateAway(deps, source, session);
  return locateTranscript(deps, source, transcript, startFolder(deps, session));
}

/** As `locateSession`, for printing commands. If neither the session's folder nor its repository exists, they start in another checkout. */
export async function locateForCommands(
  deps: LocateDependencies & { store: PointStore },
  session: SessionPayload,
): Promise<SessionLocation> {
  const located = locateSession(deps, session);
  const source = sourceOf(deps, session);
  if (source === undefined || located.transcript === null || located.directory !== null) return located;
  return locateTranscript(deps, source, located.transcript, await findCheckout(deps, session));
}

/** The location of a session whose transcript is on this machine. */
export function locateTranscript(
  { machine }: Pick<LocateDependencies, 'machine'>,
  source: TranscriptSource,
  transcript: TranscriptFile,
  directory: string | null,
): SessionLocation {
  const { resume, fork, first } = wordsFor(source, transcript, directory);
  const line = (words: string[]) => startLine({ words, directory, first }, machine.shell);
  const without = nowhere({ session_id: transcript.sessionId }, machine.shell);
  // smart-fork makes the copy that the agent resumes.
  const isByCopy =
    fork === null &&
    source.commands !== undefined &&
    (source.cut !== undefined || transcript.unopenable === true);
  const copy = commandLine(['smart-fork', 'fork', transcript.sessionId, '--exec'], null, machine.shell);
  return {
    transcript,
    restorable: false,
    canFork: fork !== null || isByCopy,
    command: fork !== null ? line(fork) : isByCopy ? copy : without.command,
    resume: resume && line(resume),
    resumeWords: resume,
    directory,
    first,
  };
}

function locateAway(
  deps: LocateDependencies,
  source: TranscriptSource | undefined,
  session: SessionPayload,
): SessionLocation {
  const { shell } = deps.machine;
  const name = nameHere(deps, session);
  const isArchived = deps.archives.some((archive) => archive.mayHold(session));
  if (source === undefined || !isArchived || !isForAgent(source, name))
    return { ...nowhere(session, shell), gone: session.machine === deps.machine.name || undefined };
  const away = { ...nowhere(session, shell), restorable: true };
  const { commands, bytes } = source;
  const fork = commands?.fork?.(name);
  if (commands === undefined || fork === undefined || bytes?.restorePath === undefined) return away;
  const directory = startFolder(deps, session);
  const line = (words: string[]) => commandLine(words, null, shell);
  // A session whose folder is not here continues where the command is run.
  const path = bytes.restorePath(name, directory ?? '/', session.jsonl_path);
  const home = source.inHome?.(path) ?? [];
  const start = (words: string[]) => commandLine([...home, ...words], directory, shell);
  const restore = line(restoreWords(session.session_id, directory));
  const continued = needsPath(source, name)
    ? { command: line(['smart-fork', 'fork', session.session_id, '--exec']), resume: restore }
    : {
        command: joinCommands([restore, start(fork)], shell),
        resume: joinCommands([restore, start(commands.resume(name))], shell),
      };
  return { ...away, canFork: true, directory, ...continued };
}

/** The location of a session without a transcript: only its context is available. */
export function nowhere({ session_id }: Pick<SessionPayload, 'session_id'>, shell: Shell): SessionLocation {
  return {
    transcript: null,
    restorable: false,
    canFork: false,
    command: commandLine(['smart-fork', 'retrieve', session_id], null, shell),
    resume: null,
    resumeWords: null,
    directory: null,
    first: null,
  };
}

/** Restores a session's transcript for a folder; null: the folder in which the command runs. */
export function restoreWords(sessionId: string, directory: string | null): string[] {
  return ['smart-fork', 'restore', sessionId, ...(directory === null ? [] : ['--to', directory])];
}

/** The session's transcript on this machine, or null. */
export function transcriptOf(deps: LocateDependencies, session: SessionPayload): TranscriptFile | null {
  const source = sourceOf(deps, session);
  return source === undefined ? null : findTranscript(deps, source, session);
}

function sourceOf({ sources }: LocateDependencies, session: SessionPayload): TranscriptSource | undefined {
  return sources.find(({ agent }) => agent === session.agent);
}

/** Records may come from elsewhere, so a path in a record counts only if the session's own transcript is there. */
function findTranscript(
  deps: LocateDependencies,
  source: TranscriptSource,
  session: SessionPayload,
): TranscriptFile | null {
  const name = nameHere(deps, session);
  const remembered = session.machine === deps.machine.name ? source.inspect(session.jsonl_path) : null;
  if (remembered?.sessionId === name) return remembered;
  const path = source.locate(name);
  return path === null ? null : source.inspect(path);
}
