import type { Argv } from 'yargs';
import { type FilterArguments, readFilter } from '../../app/search/read-filter.ts';
import type { Parts } from '../../compose/parts.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { type FilterInput, filters } from '../../operations/filters.ts';
import { inputOf, withFields } from './field-options.ts';

export type { FilterArguments };

/** Options that filter sessions, the same in every command. */
export function withFilters<T>(yargs: Argv<T>): Argv<T & FilterArguments> {
  return withFields(yargs as Argv, '', filters) as unknown as Argv<T & FilterArguments>;
}

/** The filters among the arguments of a command. */
export function filtersIn(args: FilterArguments): FilterInput {
  return inputOf(filters, '', {}, { ...args });
}

/** `readFilter` for the options of a command. */
export function filterOf(args: FilterArguments, parts: Parts): Promise<SessionFilter> {
  return readFilter(args, parts, (name) => `--${name}`);
}
