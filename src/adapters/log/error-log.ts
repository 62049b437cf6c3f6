import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { ErrorLog, LoggedError } from '../../ports/error-log.ts';
import type { Log } from '../../ports/machine.ts';
import type { Redactor } from '../../ports/redactor.ts';
import { createLineLog } from './line-log.ts';

const LONGEST = 1000;
const WRONG_USE = ['USAGE', 'SESSION_NOT_FOUND'];

export function createErrorLog(path: string, redactor: Redactor): ErrorLog {
  const lines = createLineLog(path);
  const noted = new WeakSet<object>();
  return {
    async note(doing, error) {
      const code = error instanceof SmartForkError ? error.code : 'INTERNAL';
      if (WRONG_USE.includes(code)) return;
      if (error instanceof Error) {
        if (noted.has(error)) return;
        noted.add(error);
      }
      try {
        const [redacted] = await redactor.redact([{ text: errorText(error).slice(0, LONGEST) }]);
        lines.add({ at: new Date().toISOString(), doing, code, message: redacted?.text ?? '' });
      } catch {
        // Without the rules that find secrets, nothing is written.
      }
    },
    read: () => lines.read().flatMap(errorIn),
  };
}

function errorIn({ at, doing, code, message }: Record<string, unknown>): LoggedError[] {
  const texts = [at, doing, code, message].filter((value) => typeof value === 'string');
  const [when = '', what = '', which = '', why = ''] = texts;
  return texts.length === 4 ? [{ at: when, doing: what, code: which, message: why }] : [];
}

/** A log whose errors are in the error log too. */
export function withErrors(log: Log, errors: ErrorLog): Log {
  let noted = Promise.resolve();
  return {
    ...log,
    error(message, fields = {}) {
      log.error(message, fields);
      noted = noted.then(() => errors.note(`worker: ${message}`, String(fields.reason ?? '')));
    },
    async close() {
      await noted;
      await log.close();
    },
  };
}

/** For those who want no logs. */
export const NO_LOG: Log = { info: () => undefined, error: () => undefined, close: async () => undefined };
