import { SmartForkError } from '../../domain/errors.ts';

interface NumberSettings {
  describe: string;
  alias?: string;
  default?: number;
  whole?: boolean;
  min?: number;
  max?: number;
}

/**
 * The settings of a numeric option. The parser sees it as a string, because yargs adds up repeated numbers (`--limit 5 --limit 1` gives
 * 6); the last value counts.
 * @param option as typed, for error messages
 */
export function numberOption(option: string, { whole, min, max, ...settings }: NumberSettings) {
  return {
    ...settings,
    type: 'string' as const,
    number: true,
    requiresArg: true,
    coerce: (given: unknown) =>
      toNumber(option, Array.isArray(given) ? given.at(-1) : given, { whole, min, max }),
  };
}

type Range = Record<'min' | 'max', number | undefined> & { whole: boolean | undefined };

function toNumber(option: string, given: unknown, { whole = false, min, max }: Range): number | undefined {
  if (given === undefined) return undefined;
  const number = String(given).trim() === '' ? Number.NaN : Number(given);
  const fits = number >= (min ?? Number.NEGATIVE_INFINITY) && number <= (max ?? Number.POSITIVE_INFINITY);
  if (fits && (!whole || Number.isInteger(number))) return number;
  const kind = whole ? 'a whole number' : 'a number';
  const range = max !== undefined ? ` from ${min} to ${max}` : min !== undefined ? ` of at least ${min}` : '';
  throw new SmartForkError('USAGE', `${option} ${given} is not ${kind}${range}`);
}
