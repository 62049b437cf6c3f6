import { SmartForkError } from '../../../domain/errors.ts';
import { readRecentSessions } from '../../extractor/read-recent-sessions.ts';
import { dayOf } from '../../extractor/read-session.ts';
import type { Task, TaskContext } from '../task.ts';

/** A single text may be refused; a model that fails for several sessions is broken. */
const MAX_FAILURES = 3;

/** Has a model read idle sessions, if the user enabled that. A broken model is tried again by the next worker. */
export function readWithModel({ opened, presence, now, log, tell }: TaskContext): Task {
  const { extractor } = opened;
  let failures = 0;
  let mayHaveWork = true;
  /** The last day whose budget was used up. */
  let spent = '';
  return {
    isDue: () => extractor !== undefined && failures < MAX_FAILURES && mayHaveWork && spent !== dayOf(now()),
    async run(signal) {
      if (extractor === undefined) return false;
      try {
        const done = await readRecentSessions(extractor, signal);
        if (done === null) {
          mayHaveWork = false;
          return false;
        }
        failures = 0;
        if (done.isOverBudget) spent = dayOf(now());
        log.info('read with a model', { calls: done.calls, ideas: done.ideas, dropped: done.dropped });
        if (done.ideas > 0) tell({ kind: 'indexed', path: null, grew: true, sessionEnded: false });
        return done.calls > 0;
      } catch (error) {
        if (signal.aborted) return true;
        if (!(error instanceof SmartForkError) || error.code !== 'MODEL_UNAVAILABLE') throw error;
        failures += 1;
        presence.fail('cannot read with a model', error.message);
        // Tried again when the worker next looks for changes: the network may be down for a moment.
        mayHaveWork = false;
        return false;
      }
    },
    notice(event) {
      if (event.kind === 'looked') mayHaveWork = true;
    },
  };
}
