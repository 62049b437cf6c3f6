import type { Preflight } from '../../app/fork/preflight.ts';
import type { PreparedFork } from '../../app/fork/prepare-fork.ts';
import { describeSession } from '../../app/read/describe-session.ts';
import { SmartForkError } from '../../domain/errors.ts';
import type { DoctorCheck } from '../../domain/server-state.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { shortId } from '../shared/labels.ts';
import type { Chosen } from './choose-session.ts';
import { actionOf, askingOf, type ForkAction, type ForkJob, type ForkOptions } from './fork-job.ts';
import { type Choice, choose } from './picker/ask-user.ts';

export interface Decision {
  action: ForkAction;
  /** The last turn to fork, from 1; null: all turns. */
  turn: number | null;
}

/** What to do with the session, according to the options or the user. `turn`: that of --at. Null: nothing. */
export async function decide(
  job: ForkJob,
  chosen: Chosen,
  prepared: PreparedFork,
  turn: number | null,
): Promise<Decision | null> {
  const { options, context } = job;
  const action = actionOf(options);
  if (action !== null) return { action, turn };
  if (options.json === true || !context.terminal.interactive) return { action: 'print', turn };
  const offered = turn === null ? await offer(job, chosen, prepared) : [null, turn];
  if (chosen.way === 'copy') return { action: 'copy', turn };
  if (chosen.way === 'fork-at-turn')
    return { action: 'start', turn: offered.find((one) => one !== null) ?? null };
  const isClear = prepared.flight.checks.every(({ status }) => status === 'ok');
  if (chosen.way === 'fork' && isClear) return { action: 'start', turn };
  return choose('What now?', choices(offered, prepared, options), askingOf(context));
}

/** Turns at which to offer a fork, best first; null stands for the whole session. */
async function offer(
  job: ForkJob,
  { session, query }: Chosen,
  { location }: PreparedFork,
): Promise<(number | null)[]> {
  const { inject, into } = job.options;
  if (inject || (into !== undefined && into !== session.agent) || !location.canFork) return [null];
  const { forkAt } = await describeSession(job.deps, session, query, { location });
  return forkAt === null ? [null] : [forkAt, null];
}

function choices(
  turns: (number | null)[],
  { location, flight }: PreparedFork,
  options: ForkOptions,
): Choice<Decision | null>[] {
  const context = options.inject === true || !location.canFork;
  const what = (turn: number | null) => {
    if (turn !== null) return `up to turn ${turn}, where it matches`;
    return context ? 'with its context' : 'the whole session';
  };
  const place = flight.facts.folder_is_original && !context ? flight.facts.folder : 'this folder';
  const several = turns.length > 1;
  const offer = (verb: string, action: ForkAction, turn: number | null, named: boolean) => ({
    name: named ? `${verb}: ${what(turn)}` : verb,
    value: { action, turn },
  });
  const starts = turns.map((turn) => offer(`Start it in ${place}`, 'start', turn, several || turn !== null));
  return [
    ...(missingAgent(flight) === undefined ? starts : []),
    ...turns.map((turn) => offer('Print the command', 'print', turn, several)),
    offer('Copy the command', 'copy', turns[0] ?? null, several),
    { name: 'Nothing', value: null },
  ];
}

/** The failed check of the agent's program, without which no fork can start. */
export function missingAgent({ checks }: Preflight): DoctorCheck | undefined {
  return checks.find(({ name, status }) => name === 'Agent' && status === 'fail');
}

/** The turn that --at names: a number, or the one that matches the query. */
export async function turnOf(at: string, job: ForkJob, { session, query }: Chosen): Promise<number> {
  if (/^\d+$/.test(at)) return Number(at);
  if (at !== 'match') {
    throw new SmartForkError('USAGE', `--at ${at} is neither a turn number nor "match"`, {
      hint: `smart-fork show ${idToType(shortId(session.session_id))} lists the turns.`,
    });
  }
  const { forkAt, matches } = await describeSession(job.deps, session, query);
  const turn = forkAt ?? matches[0]?.turn;
  if (turn !== undefined) return turn;
  const message = query === null ? '--at match needs a query' : 'no turn matches the query';
  throw new SmartForkError('USAGE', message, {
    hint: 'Give a turn number; smart-fork show lists them.',
  });
}
