import { SmartForkError } from '../../domain/errors.ts';
import type { ForkJournal } from '../../ports/fork-journal.ts';

/** A journal that tolerates failures: if it cannot be opened or written (a read-only home, a full disk), it calls `onProblem` once. */
export function optionalJournal(
  open: () => ForkJournal,
  onProblem: (problem: SmartForkError) => void,
): ForkJournal {
  let journal: ForkJournal | null = null;
  let isReported = false;
  const attempt = <T>(work: (journal: ForkJournal) => T, otherwise: T): T => {
    try {
      journal ??= open();
      return work(journal);
    } catch (error) {
      if (!(error instanceof SmartForkError)) throw error;
      if (!isReported) onProblem(error);
      isReported = true;
      return otherwise;
    }
  };
  return {
    record: (choice) => attempt((one) => one.record(choice), UNRECORDED),
    withdraw: (id) => attempt((one) => one.withdraw(id), undefined),
    setResult: (id, sessionId) => attempt((one) => one.setResult(id, sessionId), undefined),
    waiting: (since) => attempt((one) => one.waiting(since), []),
    list: (limit) => attempt((one) => one.list(limit), []),
    forgetQueries: () => attempt((one) => one.forgetQueries(), { count: 0, isOverwritten: true }),
    close: () => journal?.close(),
  };
}

/** An id that no choice has. */
const UNRECORDED = 0;
