import { findNames, type NameKind, nameMention } from './read-names.ts';
import type { Mention } from './understanding.ts';

const MARKED = /(?<=^|[\s\0])-(?=(?:agent|lang|repo):)/g;
/** At the end of a query, up to the name. */
const NOT =
  /(?<=^|[\s\0,(])(?:and\s{1,9})?(?:not|except|excluding)\s{1,9}(?=(?:in|inside|within|from|with|using|by)\s|(?:agent|lang|repo):)/gi;
/** Limits for pasted text. */
const MOST_LENGTH = 200;

/** The repositories, agents and languages whose sessions are not wanted: "-repo:web-shop", "carts not in web-shop". */
export async function readOutside(
  masked: string,
  names: (kind: NameKind) => Promise<string[]>,
): Promise<Mention[]> {
  const mentions: Mention[] = [];
  /** @param start of the minus sign or the "not"; the name follows at `from`. */
  const take = async (text: string, start: number, from: number, isLast: boolean): Promise<boolean> => {
    const candidate = findNames(text).find(
      (one) =>
        (one.kind === 'repo' || one.kind === 'agent' || one.kind === 'lang') &&
        one.start === from &&
        (!isLast || one.end === text.length),
    );
    const mention = candidate === undefined ? null : nameMention(candidate, await names(candidate.kind));
    if (mention === null) return false;
    const understood = mention.understood.map(({ value, text: shown }) => ({
      kind: 'not' as const,
      value,
      text: `not ${shown}`,
    }));
    mentions.push({ start, end: mention.end, outside: mention.filter ?? {}, understood });
    return true;
  };
  const unmarked = masked.replace(MARKED, ' ');
  for (const { index } of masked.matchAll(MARKED)) await take(unmarked, index, index + 1, false);
  for (let rest = withoutEnd(masked); ; rest = withoutEnd(rest)) {
    const last = [...rest.matchAll(NOT)].at(-1);
    if (last === undefined || rest.length - last.index > MOST_LENGTH) break;
    if (STATES.test(rest.slice(0, last.index))) break;
    const from = last.index + last[0].length;
    const unnegated = rest.slice(0, last.index).padEnd(from) + rest.slice(from);
    if (!(await take(unnegated, last.index, from, true))) break;
    rest = rest.slice(0, last.index);
  }
  return mentions;
}

/** In these, a "not" is part of what is asked or stated: "why is the cart not in web-shop". */
const STATES =
  /(?:^|[\s\0])(?:but|how|wh(?:at|en|ere|ich|o|y)|is|are|was|were|do|does|did|has|have|had|can|could|should|will|would)(?=$|\s)|n['’]t(?=$|\s)/i;

function withoutEnd(text: string): string {
  let length = text.length;
  while (/[\s\0.,;:!?)]/.test(text[length - 1] ?? '')) length--;
  return text.slice(0, length);
}
