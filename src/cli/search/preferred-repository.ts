import { preferredAround } from '../../app/search/repository-filter.ts';
import type { SearchRequest } from '../../app/search/search-sessions.ts';
import type { CommandContext } from '../run-command.ts';

/** Disables the preference for the current repository. */
export const everywhereOption = {
  type: 'boolean',
  describe: 'do not prefer the current repository: by default it wins among close results',
} as const;

/** The repository of the current folder, which is preferred among nearly equal results. */
export function preferredRepository(
  { config, parts }: Pick<CommandContext, 'config' | 'parts'>,
  { everywhere = false }: { everywhere?: boolean },
): Pick<SearchRequest, 'prefer'> {
  const isOff = everywhere || !config.search.preferRepository;
  const prefer = isOff ? null : preferredAround(process.cwd(), parts.probe);
  return prefer === null ? {} : { prefer };
}
