import { SmartForkError } from '../../../domain/errors.ts';
import { readRecentSessions } from '../../extractor/read-recent-sessions.ts';
import { dayOf } from '../../extractor/read-session.ts';
import type { Task, TaskContext } from '../task.ts';

/** Has a model read idle sessions, if the user turned that on. If it fails, only the next worker tries again. */
export function readWithModel({ opened, presence, now, log, tell }: TaskContext): Task {
  const { extractor } = opened;
  let isBroken = false;
  let mayHaveWork = true;
  /** The day whose budget is used up. */
  let spent = '';
  return {
    isDue: () => extractor !== undefined && !isBroken && mayHaveWork && spent !== dayOf(now()),
    async run(signal) {
      if (extractor === undefined) return false;
      try {
        const done = await readRecentSessions(extractor, signal);
        if (done === null) {
          mayHaveWork = false;
          return false;
        }
        if (done.isOverBudget) spent = dayOf(now());
        log.info('read with a model', { calls: done.calls, ideas: done.ideas, dropped: done.dropped });
        if (done.ideas > 0) tell({ kind: 'indexed', path: null, grew: true, sessionEnded: false });
        return done.calls > 0;
      } catch (error) {
        if (signal.aborted) return true;
        if (!(error instanceof SmartForkError) || error.code !== 'MODEL_UNAVAILABLE') throw error;
        isBroken = true;
        presence.fail('cannot read with a model', error.message);
        return false;
      }
    },
    notice(event) {
      if (event.kind === 'looked') mayHaveWork = true;
    },
  };
}
