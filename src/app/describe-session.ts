import type { LexicalTokenizer } from '../domain/lexical.ts';
import { openEnds } from '../domain/open-ends.ts';
import type { SessionPayload } from '../domain/point.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import type { ThisMachine } from '../ports/this-machine.ts';
import type { TranscriptSource } from '../ports/transcript-source.ts';
import { matchTurns, type TurnMatch, turnToForkAt } from './match-turns.ts';
import type { Turn } from './read-conversation.ts';
import { viewSession } from './view-session.ts';

/** What there is to know of a session before it is taken. */
export interface SessionDescription {
  session: SessionPayload;
  /** Whether its transcript is here; without it there are no turns, only passages. */
  local: boolean;
  turns: Turn[];
  /** Best first. */
  matches: TurnMatch[];
  /** The turn to offer a fork at, from 1; null when the whole session is as good. */
  forkAt: number | null;
  openEnds: string[];
  forks: SessionPayload[];
}

export async function describeSession(
  deps: {
    store: PointStore;
    sources: TranscriptSource[];
    machine: ThisMachine;
    redactor: Redactor;
    tokenizer: LexicalTokenizer;
  },
  session: SessionPayload,
  query: string | null,
  forks: SessionPayload[],
): Promise<SessionDescription> {
  const { local, turns } = await viewSession(deps, session);
  const matches = query === null ? [] : matchTurns(turns, query, deps.tokenizer);
  const canCut = deps.sources.find(({ agent }) => agent === session.agent)?.cut !== undefined;
  return {
    session,
    local,
    turns,
    matches,
    forkAt: local && canCut ? turnToForkAt(turns, matches) : null,
    openEnds: openEnds(turns),
    forks,
  };
}
