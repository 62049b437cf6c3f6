import { isStatement } from './is-statement.ts';
import { findNames, nameMention } from './read-names.ts';
import type { Mention, NameKind } from './understanding.ts';

const MARKED = /(?<=^|[\s\0])-(?=(?:agent|lang|repo):)/g;
/** At the end of a query, up to the name. */
const NOT =
  /(?<=^|[\s\0,(])(?:(but|and)\s{1,9})?(?:not|except|excluding)\s{1,9}(?=(?:in|inside|within|from|with|using|by)\s|(?:agent|lang|repo):)/gi;
/** Limits for pasted text. */
const MOST_LENGTH = 200;

/** The repositories, agents and languages whose sessions are not wanted: "-repo:web-shop", "carts not in web-shop". */
export async function readOutside(
  masked: string,
  names: (kind: NameKind) => Promise<string[]>,
): Promise<Mention[]> {
  const mentions: Mention[] = [];
  /** @param start of the minus sign or the "not"; the name follows at `from`. `lead` is null for a minus sign. */
  const take = async (text: string, start: number, from: number, lead: string | null): Promise<boolean> => {
    const candidate = findNames(text).find(
      (one) =>
        (one.kind === 'repo' || one.kind === 'agent' || one.kind === 'lang') &&
        one.start === from &&
        (lead === null || one.end === text.length),
    );
    const mention = candidate === undefined ? null : nameMention(candidate, await names(candidate.kind));
    if (mention === null) return false;
    const isBut = /^but\s/i.test(masked.slice(start));
    const isTopic =
      lead !== null && (STATES.test(lead) || (isBut && (OTHER.test(lead) || isStatement(lead))));
    if (isTopic || (isBut && candidate?.kind !== 'repo')) {
      if (candidate?.kind !== 'repo') return false;
      const keep = masked.slice(start, mention.end);
      const not = keep.replace(/^(?:but|and)\s+/i, '');
      const text = `"${not}" as text; -repo:${candidate.name} excludes it`;
      mentions.push({ start, end: mention.end, keep, understood: [{ kind: 'text', value: not, text }] });
      return false;
    }
    const understood = mention.understood.map(({ value, text: shown }) => ({
      kind: 'not' as const,
      value,
      text: `not ${shown}`,
    }));
    mentions.push({ start, end: mention.end, outside: mention.filter ?? {}, understood });
    return true;
  };
  const unmarked = masked.replace(MARKED, ' ');
  for (const { index } of masked.matchAll(MARKED)) await take(unmarked, index, index + 1, null);
  for (let rest = withoutEnd(masked); ; rest = withoutEnd(rest)) {
    const last = [...rest.matchAll(NOT)].at(-1);
    if (last === undefined || rest.length - last.index > MOST_LENGTH) break;
    const from = last.index + last[0].length;
    const unnegated = rest.slice(0, last.index).padEnd(from) + rest.slice(from);
    if (!(await take(unnegated, last.index, from, rest.slice(0, last.index)))) break;
    rest = rest.slice(0, last.index);
  }
  return mentions;
}

/** In these, a "not" is part of what is asked or stated: "why is the cart not in web-shop". */
const STATES =
  /(?:^|[\s\0])(?:but|how|wh(?:at|en|ere|ich|o|y)|is|are|was|were|do|does|did|has|have|had|can|could|should|will|would)(?=$|\s)|n['’]t(?=$|\s)/i;
/** Nothing, or a place that the name is compared with: "carts in admin but not in web-shop". */
const OTHER = /^\W*$|\b(?:in|inside|within|from|with|using|by|on)\s/i;

function withoutEnd(text: string): string {
  let length = text.length;
  while (/[\s\0.,;:!?)]/.test(text[length - 1] ?? '')) length--;
  return text.slice(0, length);
}
