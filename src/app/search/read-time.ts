import { mayNameTime } from '../../domain/query/may-name-time.ts';
import type { ThisMachine } from '../../ports/machine.ts';
import type { UnderstandDependencies } from './understand/understand-request.ts';

export interface TimeDependencies {
  machine: Pick<ThisMachine, 'now'>;
  searchAids: Pick<UnderstandDependencies, 'times'>;
}

/**
 * The time that an option gives: what `parseTime` reads, or words as in a query ("last week", "in June").
 * @param name of the option, for the error
 * @param edge of the day or the period that the words name
 * @throws SmartForkError USAGE
 */
export async function readTime(
  { machine, searchAids }: TimeDependencies,
  name: string,
  text: string,
  edge: 'start' | 'end' = 'start',
): Promise<string> {
  const now = machine.now();
  // Most searches give no time.
  const { parseTime } = await import('../../domain/text/parse-time.ts');
  try {
    return parseTime(name, text, now, edge);
  } catch (error) {
    if (!/\p{L}{3}/u.test(text) || !mayNameTime(text)) throw error;
    const { readPeriod } = await import('../../domain/query/read-times.ts');
    const period = readPeriod(text, await searchAids.times(text, now), now);
    if (period === null) throw error;
    return new Date(edge === 'start' ? period.start : (period.end ?? now)).toISOString();
  }
}
