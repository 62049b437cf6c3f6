import { UNMATCHED } from '../../../domain/outage.ts';
import type { NameKind } from '../../../domain/query/read-names.ts';
import type { Understanding } from '../../../domain/query/understanding.ts';
import type { Notice } from '../../../domain/search-result.ts';
import { unmatchedText } from '../unmatched-filters.ts';
import { sessionsWithText } from './sessions-with.ts';

/** Names of repositories and so on that there are none of, unless sessions have the word: "in the same repo". */
export async function findUnknown(
  deps: Parameters<typeof sessionsWithText>[0],
  unknown: Understanding['unknown'],
  names: (kind: NameKind) => Promise<string[]>,
): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const { kind, name } of unknown) {
    if ((await sessionsWithText(deps, [name])).length > 0) continue;
    const noun = kind === 'repo' ? 'repository' : kind;
    notices.push({ code: UNMATCHED, message: unmatchedText(noun, name, await names(kind)) });
  }
  return notices;
}
