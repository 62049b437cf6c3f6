import { UNMATCHED } from '../../../domain/outage.ts';
import { FILTER_TEXTS } from '../../../domain/query/read-names.ts';
import type { NameKind, Understanding, Understood } from '../../../domain/query/understanding.ts';
import type { Notice } from '../../../domain/search-result.ts';
import { unmatchedText } from '../unmatched-filters.ts';
import { sessionsWithText } from './sessions-with.ts';

/** What a query names that there is nothing of. */
interface Unknown {
  notices: Notice[];
  /** The filters that were ignored for it. */
  understood: Understood[];
  /** The query without their words. */
  text: string;
}

/** Names of repositories and so on that there are none of, unless sessions have the words: "in the same repo". */
export async function findUnknown(
  deps: Parameters<typeof sessionsWithText>[0],
  { unknown, text }: Pick<Understanding, 'unknown' | 'text'>,
  names: (kind: NameKind) => Promise<string[]>,
): Promise<Unknown> {
  const found: Unknown = { notices: [], understood: [], text };
  for (const { kind, name, from } of unknown) {
    if ((await sessionsWithText(deps, [from ?? name])).length > 0) continue;
    found.notices.push({
      code: UNMATCHED,
      message: unmatchedText(NOUNS[kind] ?? kind, name, await names(kind)),
    });
    if (from === undefined) continue;
    const isOutside = from.startsWith('-');
    const shown = `${isOutside ? 'not ' : ''}${FILTER_TEXTS[kind](name)}`;
    const said = { kind: isOutside ? 'not' : kind, value: name, from, text: shown, unknown: true } as const;
    found.understood.push(said);
    const rest = found.text.replace(from, ' ').replace(/\s+/g, ' ').trim();
    if (/[\p{L}\p{N}]/u.test(rest)) found.text = rest;
  }
  return found;
}

const NOUNS: Partial<Record<NameKind, string>> = { repo: 'repository', lang: 'language' };
