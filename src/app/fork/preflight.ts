import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { isAtLeast } from '../../domain/agent/versions.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { DoctorCheck } from '../../domain/server-state.ts';
import { idToType } from '../../domain/session/session-id.ts';
import type { FindAgentProgram } from '../../ports/agent-settings.ts';
import type { GitDrift, ReadDrift, RepositoryProbe, ThisMachine } from '../../ports/machine.ts';
import type { ContextSize, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import { contextSize } from '../sessions/context-size.ts';
import type { SessionLocation } from '../sessions/locate-session.ts';
import { type NamesHere, nameHere } from '../sessions/name-here.ts';
import { partUntil, type SessionPart } from '../sessions/session-part.ts';
import { sameRepository } from '../sessions/start-folder.ts';
import { type PreflightFacts, preflightChecks } from './preflight-checks.ts';

export interface PreflightDependencies extends NamesHere {
  sources: TranscriptSource[];
  machine: ThisMachine;
  probe: RepositoryProbe;
  git: ReadDrift;
  findProgram: FindAgentProgram;
}

interface PreflightRequest {
  session: SessionPayload;
  /** The agent to start; defaults to the session's own. */
  agent?: Agent;
  currentDirectory: string;
  /** The turn to fork at, from 1; null or absent: the whole session. */
  turn?: number | null;
  /** Title of the session in which the conversation goes on. */
  nextTitle?: string;
  /** The size of a fork that gets the conversation as text; null or absent for the agent's own fork. */
  textSize?: ContextSize | null;
}

/** What is known before a fork. The shape of `fork --check --json`: fields may be added. */
export interface Preflight {
  session_id: string;
  /** False if the session cannot be forked natively now; a failed check says why. */
  ready: boolean;
  checks: DoctorCheck[];
  facts: PreflightFacts;
}

/** Checks everything that may make a fork differ from what the user expects. Never throws, changes nothing. */
export async function preflight(
  deps: PreflightDependencies,
  { session, currentDirectory, agent = session.agent, turn = null, nextTitle, textSize }: PreflightRequest,
  { transcript, restorable, directory }: SessionLocation,
): Promise<Preflight> {
  const source = deps.sources.find((one) => one.agent === session.agent);
  const folder = directory ?? currentDirectory;
  const original = folder === session.working_directory;
  const same = sameRepository(deps, session, folder);
  const [drift, program] = await Promise.all([
    original || same === true ? askGit(deps.git, session, folder) : null,
    findAgent(deps.findProgram, agent),
  ]);
  const part =
    turn === null || transcript === null || source === undefined ? null : partUntil(source, transcript, turn);
  const facts: PreflightFacts = {
    path: transcript?.path ?? null,
    restorable,
    idle_seconds: idleSeconds(deps, session, transcript),
    open_in: source?.processes?.of(nameHere(deps, session)) ?? [],
    context: textSize ?? contextSize(source, session, transcript, part),
    folder,
    folder_is_original: original,
    same_repository: same,
    drift,
    program,
  };
  const checks = preflightChecks(session, agent, facts, deps.machine, nextTitle);
  if (turn !== null && part !== null) checks.push(checkTurnAt(session.session_id, turn, part));
  const ready = checks.every(({ status }) => status !== 'fail');
  return { session_id: session.session_id, ready, checks, facts };
}

function askGit(git: ReadDrift, session: SessionPayload, directory: string): Promise<GitDrift | null> {
  const { commits, ended_at, branch, files_touched } = session;
  return git({
    directory,
    commit: commits.at(-1)?.hash || null,
    time: ended_at,
    branch,
    files: files_touched,
  });
}

async function findAgent(find: FindAgentProgram, agent: Agent): Promise<PreflightFacts['program']> {
  const { program } = AGENT_ROWS[agent];
  const found = program && (await find(program.command));
  if (program === null || found === null) return null;
  const { forksSince } = program;
  const isNew = found.version === null || (forksSince !== null && isAtLeast(found.version, forksSince));
  return { ...found, can_fork: isNew };
}

function idleSeconds(
  { machine }: PreflightDependencies,
  session: SessionPayload,
  transcript: TranscriptFile | null,
): number | null {
  if (transcript === null) return null;
  // A restored transcript is a new file, although nothing has been said in it since.
  const isAsIndexed = transcript.size === session.bytes && session.ended_at !== null;
  const spoken = isAsIndexed ? Date.parse(session.ended_at ?? '') : Number.POSITIVE_INFINITY;
  return Math.max(0, Math.round((machine.now() - Math.min(transcript.mtimeMs, spoken)) / 1000));
}

function checkTurnAt(id: string, turn: number, { turns, isAnswered }: SessionPart): DoctorCheck {
  const name = 'Turn';
  if (turn < 1 || turn > turns) {
    const fix = `smart-fork show ${idToType(id)} lists the turns.`;
    return { name, status: 'fail', message: `the session has no turn ${turn}: it has ${turns}`, fix };
  }
  if (isAnswered) return { name, status: 'ok', message: `${turn} of ${turns}` };
  const message = `there is no answer up to turn ${turn}`;
  return { name, status: 'fail', message, fix: 'Fork at a later turn.' };
}
