/**
 * An option that is a number. yargs would count one up when it is given again with the value 1 (`--limit 5 --limit 1`
 * would be 6), so it reads text, and the last one counts.
 */
export function numberOption<T extends object>(settings: T) {
  return {
    ...settings,
    type: 'string' as const,
    requiresArg: true,
    coerce: (given: unknown) => toNumber(Array.isArray(given) ? given.at(-1) : given),
  };
}

function toNumber(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  return typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given);
}
