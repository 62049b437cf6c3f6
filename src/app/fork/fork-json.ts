import { shownRecord } from '../../domain/json/shown-record.ts';
import type { ForkRequest, ReadyFork } from './fork-request.ts';
import type { Preflight } from './preflight.ts';

/** The shape of `fork ID --json`. Fields may be added, never changed. */
export function forkJson(
  { session, rank }: Pick<ForkRequest, 'session' | 'rank'>,
  { way, agent, command, words, directory, first, turn, resultSessionId, notes }: ReadyFork,
  flight: Preflight,
) {
  return {
    session: shownRecord(session),
    rank,
    way,
    agent,
    command,
    words,
    directory,
    first,
    turn,
    result_session_id: resultSessionId,
    notes,
    preflight: flight,
  };
}
