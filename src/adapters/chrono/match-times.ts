import type { FoundDate, TimeFound } from '../../domain/query/time-range.ts';

/** The times that a pattern finds in a text. `read` takes its match and groups; null: it is no time. */
export function matchTimes(
  text: string,
  pattern: RegExp,
  read: (...groups: string[]) => (Omit<Partial<TimeFound>, 'start'> & Pick<TimeFound, 'start'>) | null,
): TimeFound[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const words = Array.from(match, (one) => one ?? '');
    const time = read(...words);
    return time === null ? [] : [{ index: match.index, text: words[0] ?? '', end: null, ...time }];
  });
}

/** A date of which the text tells all. */
export function fullDate(date: Date, unit: FoundDate['unit'] = 'day'): FoundDate {
  return { date, unit, namesMonth: true, namesYear: true };
}
