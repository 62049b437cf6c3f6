const DAY_MS = 86_400_000;
/** A shorter axis would have no room for its dates. */
const MIN_DAYS = 7;

/**
 * Every day from the first of the dates to the last, at least a week: a line across missing days would suggest that tokens were used
 * on them.
 */
export function daysBetween(dates: string[]): string[] {
  const sorted = dates.map((date) => date.slice(0, 10)).sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  const start = Math.min(Date.parse(first), Date.parse(last) - (MIN_DAYS - 1) * DAY_MS);
  const days: string[] = [];
  for (let time = start; time <= Date.parse(last); time += DAY_MS)
    days.push(new Date(time).toISOString().slice(0, 10));
  return days;
}
