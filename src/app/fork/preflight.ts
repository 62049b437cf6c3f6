import { AGENT_PROGRAMS, isAtLeast } from '../../domain/machine/agent-versions.ts';
import { contextWindow } from '../../domain/model/context-window.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { DoctorCheck } from '../../domain/server-state.ts';
import { repoId, repoKey } from '../../domain/session/repository.ts';
import type { Agent } from '../../domain/session/session.ts';
import type { AgentProgram, FindAgentProgram } from '../../ports/agent-settings.ts';
import type { GitDrift, GitHistory, RepositoryProbe, ThisMachine } from '../../ports/machine.ts';
import type { ContextSize, LiveProcess, TranscriptSource } from '../../ports/transcript-source.ts';
import { type NamesHere, nameHere } from '../sessions/name-here.ts';
import { preflightChecks } from './preflight-checks.ts';

export interface PreflightDependencies extends NamesHere {
  sources: TranscriptSource[];
  machine: ThisMachine;
  probe: RepositoryProbe;
  git: GitHistory;
  findProgram: FindAgentProgram;
}

/** What is known before a fork. The shape of `fork --check --json`: additions only. */
export interface Preflight {
  session_id: string;
  /** False when the session cannot be forked natively as things are; a failed check says why. */
  ready: boolean;
  checks: DoctorCheck[];
  facts: PreflightFacts;
}

export interface PreflightFacts {
  /** The transcript on this machine, or null. */
  path: string | null;
  /** Whether it is not here, but is kept and restored before the fork. */
  restorable: boolean;
  /** Seconds since the transcript was last written. */
  idle_seconds: number | null;
  open_in: LiveProcess[];
  context: ContextSize | null;
  /** The folder the fork would start in: the session's own, or the one this was called from. */
  folder: string;
  folder_is_original: boolean;
  same_repository: boolean | null;
  drift: GitDrift | null;
  program: (AgentProgram & { can_fork: boolean }) | null;
}

/** Looks at everything that may make a fork differ from what the user expects. Never throws, changes nothing. */
export async function preflight(
  deps: PreflightDependencies,
  session: SessionPayload,
  here: { path: string | null; restorable?: boolean; currentDirectory: string; agent?: Agent },
): Promise<Preflight> {
  const source = deps.sources.find(({ agent }) => agent === session.agent);
  const agent = here.agent ?? session.agent;
  const restorable = here.restorable === true;
  // What is restored is restored for the folder where the user is.
  const original = restorable
    ? session.working_directory === here.currentDirectory
    : deps.machine.directoryExists(session.working_directory);
  const folder = original ? session.working_directory : here.currentDirectory;
  const same = sameRepository(deps, session, folder);
  const [drift, program] = await Promise.all([
    original || same === true ? askGit(deps.git, session, folder) : null,
    findAgent(deps.findProgram, agent),
  ]);
  const facts: PreflightFacts = {
    path: here.path,
    restorable,
    idle_seconds: idleSeconds(deps, source, session, here.path),
    open_in: source?.liveProcesses(nameHere(deps, session)) ?? [],
    context: sizeOf(source, session, here.path),
    folder,
    folder_is_original: original,
    same_repository: same,
    drift,
    program,
  };
  const checks = preflightChecks(session, agent, facts, deps.machine.name);
  const ready = checks.every(({ status }) => status !== 'fail');
  return { session_id: session.session_id, ready, checks, facts };
}

/** Null when neither the session nor the folder says which repository it is. */
function sameRepository(
  deps: PreflightDependencies,
  session: SessionPayload,
  folder: string,
): boolean | null {
  const repository = deps.probe(folder);
  if (repository === null) return session.repo_key === null ? null : false;
  const key = repository.remoteUrl === null ? null : repoKey(repository.remoteUrl);
  if (key !== null && session.repo_key !== null) return key === session.repo_key;
  return repoId(repository.root) === session.repo_id || null;
}

function askGit(git: GitHistory, session: SessionPayload, directory: string): Promise<GitDrift | null> {
  const { commits, ended_at, branch, files_touched } = session;
  return git({
    directory,
    commit: commits.at(-1)?.hash ?? null,
    time: ended_at,
    branch,
    files: files_touched,
  });
}

async function findAgent(find: FindAgentProgram, agent: Agent): Promise<PreflightFacts['program']> {
  const { program, forksSince } = AGENT_PROGRAMS[agent];
  const found = await find(program);
  return found && { ...found, can_fork: found.version === null || isAtLeast(found.version, forksSince) };
}

function idleSeconds(
  deps: PreflightDependencies,
  source: TranscriptSource | undefined,
  session: SessionPayload,
  path: string | null,
): number | null {
  const file = path === null ? null : (source?.inspect(path) ?? null);
  if (file === null) return null;
  // A file that was restored is new, but nobody has said anything in it since.
  const isAsIndexed = file.size === session.bytes && session.ended_at !== null;
  const spoken = isAsIndexed ? Date.parse(session.ended_at ?? '') : Number.POSITIVE_INFINITY;
  return Math.max(0, Math.round((deps.machine.now() - Math.min(file.mtimeMs, spoken)) / 1000));
}

function sizeOf(
  source: TranscriptSource | undefined,
  session: SessionPayload,
  path: string | null,
): ContextSize | null {
  const size = path === null ? null : (source?.contextSize(path) ?? null);
  return size && { tokens: size.tokens, window: size.window ?? contextWindow(session.model, size.tokens) };
}
