import type { SessionPayload } from '../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { Turn } from '../sessions/conversation/turn.ts';
import { locateSession, type SessionLocation } from '../sessions/locate-session.ts';
import { matchTurns, type TurnMatch, turnToForkAt } from './match-turns.ts';
import type { ReadDependencies } from './retrieve-session.ts';
import { viewSession } from './view-session.ts';

/** What the user should know about a session before choosing it. */
export interface SessionDescription {
  session: SessionPayload;
  /** Whether the transcript is on this machine. */
  local: boolean;
  restorable: boolean;
  turns: Turn[];
  /** Best first. */
  matches: TurnMatch[];
  /** The turn at which to offer a fork, from 1; null: the whole session. */
  forkAt: number | null;
  /** What it leaves open, in its own words. */
  open: string[];
  forks: SessionPayload[];
  /** The session it was forked from; null if there is none, or it is not indexed. */
  parent: SessionPayload | null;
}

export async function describeSession(
  deps: ReadDependencies & { tokenizer: LexicalTokenizer },
  session: SessionPayload,
  query: string | null,
  {
    forks = [],
    parent = null,
    open = [],
    location = locateSession(deps, session),
  }: {
    forks?: SessionPayload[];
    parent?: SessionPayload | null;
    open?: string[];
    location?: SessionLocation;
  } = {},
): Promise<SessionDescription> {
  const { local, restorable, problem, turns } = await viewSession(deps, session, location);
  const matches = query === null ? [] : matchTurns(turns, query, deps.tokenizer);
  return {
    session,
    local,
    restorable,
    turns,
    matches,
    forkAt: local || (restorable && problem === null) ? turnToForkAt(turns, matches) : null,
    open,
    forks,
    parent,
  };
}
