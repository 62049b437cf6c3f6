import { findNames, type NameKind, nameMention } from './read-names.ts';
import type { Mention } from './understanding.ts';

/** Before these, sessions of a repository, an agent or a language are not wanted: "carts, but not in web-shop". The preposition is group 1. */
const NOT =
  /(?<=^|[\s\0,(])(?:(?:but|and)\s{1,9})?(?:not|except|excluding|(?:any|every)thing\s{1,9}but)\s{1,9}(?=(in|inside|within|from|with|using|by)\s|(?:repo|agent|lang(?:uage)?):)/gi;
const JOINED =
  /(?:\s{0,9},\s{0,9}|\s{1,9}(?=(?:and|or|nor|but\s{1,9}not)\s))(?:(?:and|or|nor|but(?=\s{1,9}not\s))\s{1,9})?(?:not\s{1,9})?/gi;

/** Limits for pasted text. */
const MOST = 5;
const MOST_LENGTH = 200;

/** What is not wanted, at the end of a query or set off at its beginning: "carts not in web-shop or with codex". */
export async function readOutside(
  masked: string,
  names: (kind: NameKind) => Promise<string[]>,
): Promise<Mention[]> {
  let end = masked.length;
  while (/[\s\0.,;:!?)]/.test(masked[end - 1] ?? '')) end--;
  for (const { 0: not, 1: preposition = '', index } of [...masked.matchAll(NOT)].slice(-MOST)) {
    const from = index + not.length;
    const lead = masked.slice(0, index);
    const first = /\w/.test(lead) ? '' : masked.slice(from, end);
    const colon = first.search(/:\s/);
    const setOff = colon < 0 ? first.search(/,\s/) : colon;
    const to = setOff < 0 ? end : from + setOff;
    const list = masked.slice(from, to);
    if (list.length > MOST_LENGTH) continue;
    // "skill loading with claude but not with codex"
    if (/^but/i.test(not) && findNames(lead).some((name) => name.end === lead.trimEnd().length)) continue;
    if (isSentence(lead) || isSentence(masked.slice(to))) continue;
    const mentions: Mention[] = [];
    let start = index;
    let at = from;
    for (const joint of [...list.matchAll(JOINED), null]) {
      const partEnd = from + (joint?.index ?? list.length);
      const part = masked.slice(at, partEnd);
      const mention =
        (await nameOf(part, lead, names)) ?? (await nameOf(`${preposition} ${part}`, lead, names));
      if (mention === null) break;
      const understood = mention.understood.map((one) => ({
        kind: 'not' as const,
        value: one.value,
        text: `not ${one.text}`,
      }));
      mentions.push({ start, end: partEnd, outside: mention.filter ?? {}, understood });
      start = partEnd;
      at = partEnd + (joint?.[0].length ?? 0);
    }
    if (start === to) return mentions;
  }
  return [];
}

/** The repository, agent or language that a phrase names. */
async function nameOf(
  phrase: string,
  lead: string,
  names: (kind: NameKind) => Promise<string[]>,
): Promise<Mention | null> {
  const text = `${lead} ${phrase}`;
  const candidate = findNames(text).find(
    ({ kind, start, end }) =>
      (kind === 'repo' || kind === 'agent' || kind === 'lang') &&
      end === text.length &&
      start === end - phrase.length,
  );
  return candidate === undefined ? null : nameMention(candidate, await names(candidate.kind));
}

const FINITE =
  /^(?:am|is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would|cannot|.*n['’]t|i|it|we|you|they|he|she|always|never|only|still|(?:appear|break|exist|fail|hang|happen|load|miss|pass|render|reproduce|run|start|stop|succeed|work)e?s)$/i;
const QUESTION = /^(?:how|wh(?:at|en|ere|ich|o|y))$/i;
const DETERMINER = /^(?:an?|all|my|our|that|the|these|this|those)$/i;
const ASKS = /^(?:about|all|find|for|in|list|on|show|with)$/i;

/** Whether words state something, so that a "not" in them is part of it: "the bug reproduces, but not in web-shop". */
function isSentence(text: string): boolean {
  const words = text.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
  const [first = '', second = ''] = words;
  const last = words.at(-1) ?? '';
  if (QUESTION.test(first) || words.some((word) => FINITE.test(word))) return true;
  // "the button flickers", "the migration failed", "rename the button"
  if (/[^s]s$/i.test(last) && words.slice(0, -2).some((word) => DETERMINER.test(word))) return true;
  return (
    /[a-z]{3}ed$/i.test(last) || (DETERMINER.test(second) && !DETERMINER.test(first) && !ASKS.test(first))
  );
}
