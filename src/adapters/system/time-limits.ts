import { SmartForkError } from '../../domain/errors.ts';
import { isRecord } from '../../domain/is-record.ts';
import type { StartTimeLimit } from '../../ports/time-limit.ts';

/**
 * Uses the time limit of `node:vm`, which interrupts everything that a script calls, even a regular expression. A call costs 0.1 ms; a
 * thread that could be ended would cost its start, and copies of all texts.
 */
export function createTimeLimits(): StartTimeLimit {
  let call: ((work: () => void, ms: number) => void) | null = null;
  return (ms) => {
    let left = ms;
    return {
      isOver: () => left <= 0,
      run(work) {
        if (left <= 0) throw tookTooLong(ms);
        const started = performance.now();
        const done: { result: ReturnType<typeof work> }[] = [];
        try {
          call ??= openCall();
          call(() => done.push({ result: work() }), Math.ceil(left));
        } catch (error) {
          if (!isTimeout(error)) throw error;
          left = 0;
          throw tookTooLong(ms);
        } finally {
          left -= performance.now() - started;
        }
        // The script has ended, so the work is done.
        return (done[0] as { result: ReturnType<typeof work> }).result;
      },
    };
  };
}

function openCall(): (work: () => void, ms: number) => void {
  const { createContext, Script } = process.getBuiltinModule('node:vm');
  const script = new Script('work()');
  const context = createContext({ work: () => undefined });
  return (work, timeout) => {
    context.work = work;
    script.runInContext(context, { timeout });
  };
}

/** The error is of the script's own realm, so it is no instance of this one's Error. */
function isTimeout(error: unknown): boolean {
  return isRecord(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function tookTooLong(ms: number): SmartForkError {
  const message = `reading it took longer than ${Math.round(ms / 1000)} s`;
  return new SmartForkError('TRANSCRIPT_UNREADABLE', message);
}
