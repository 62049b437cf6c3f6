/**
 * A numeric option. yargs adds up repeated numbers (`--limit 5 --limit 1` gives 6), so the option is declared as a string
 * and the last value wins.
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
