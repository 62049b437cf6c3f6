import { SmartForkError } from '../errors.ts';
import type { SessionFilter } from '../search/search.ts';
import { setFields } from '../set-fields.ts';
import { dateTime } from '../text/time-text.ts';
import { mayAsk } from './may-ask.ts';
import { mayNameTime } from './may-name-time.ts';
import { findNames, nameMention, saysKind } from './read-names.ts';
import { readOutcomes } from './read-outcomes.ts';
import { MINUS, readQuotes } from './read-terms.ts';
import type { TimeFound } from './time-range.ts';
import {
  MASK,
  type Mention,
  mask,
  type NamedFilter,
  type NameKind,
  type Understanding,
  type UnknownName,
} from './understanding.ts';

/** Lookups in the index. Both are used only if the query contains words that may be a name. */
interface Knowledge {
  now: number;
  /** The names that exist in sessions. */
  names(kind: NameKind): Promise<string[]>;
  times(text: string, now: number): Promise<TimeFound[]>;
}

/**
 * Reads the conditions in a query besides its topic. When in doubt, words are left in the search: it prefers understanding too little
 * to too much.
 * @param given the request's filters, which take precedence over the query's words.
 */
export async function understandQuery(
  query: string,
  given: SessionFilter,
  knowledge: Knowledge,
): Promise<Understanding> {
  const text = query.replaceAll(MASK, ' ');
  const mentions: Mention[] = [];
  const unknown = new Map<string, UnknownName>();
  const take = (found: Mention[]) => {
    const taken = new Set<string>(mentions.flatMap(({ filter = {} }) => Object.keys(filter)));
    for (const mention of found) {
      if (mention.outside === undefined && NEGATED.test(text.slice(0, mention.start))) continue;
      const fields = Object.keys(mention.filter ?? {});
      const overlaps = mentions.some(({ start, end }) => mention.start < end && start < mention.end);
      const repeats = fields.some(
        (field) => taken.has(field) || given[field as keyof NamedFilter] !== undefined,
      );
      if (!overlaps && !repeats) mentions.push(mention);
    }
  };
  const rest = () => mask(text, mentions);
  take(readQuotes(rest()));
  if (MINUS.test(rest())) {
    // Loaded for queries with such a word alone.
    const { readExclusions } = await import('./read-exclusions.ts');
    take(await readExclusions(rest(), knowledge.names));
  }
  take(readOutcomes(rest()));
  const takeAsking = async () => {
    if (!mayAsk(rest())) return;
    const { readAsking } = await import('./read-asking.ts');
    for (const { agent, ...asking } of readAsking(rest())) {
      const place = { start: asking.start, end: asking.end };
      const named =
        agent === undefined || given.agent !== undefined
          ? null
          : nameMention({ kind: 'agent', name: agent, ...place }, await knowledge.names('agent'));
      const understood = [...asking.understood, ...(named?.understood ?? [])];
      take([{ ...asking, ...named, understood }]);
    }
  };
  await takeAsking();
  const isTimed = given.since !== undefined || given.until !== undefined;
  const times =
    isTimed || !mayNameTime(rest()) ? [] : await knowledge.times(rest().replaceAll(MASK, ' '), knowledge.now);
  const takeRestrictions = async () => {
    if (!MAY_RESTRICT.test(rest())) return;
    const { readRestrictions } = await import('./read-restrictions.ts');
    take(await readRestrictions(rest(), { now: knowledge.now, times, names: knowledge.names }));
  };
  await takeRestrictions();
  const takeNames = async () => {
    for (const candidate of findNames(rest())) {
      const mention = nameMention(candidate, await knowledge.names(candidate.kind));
      if (mention !== null) take([mention]);
      else if (saysKind(candidate, text))
        unknown.set(candidate.name, { kind: candidate.kind, name: candidate.name });
    }
  };
  const before = mentions.length;
  await takeNames();
  // "codex sessions in web-shop about carts"
  if (mentions.length > before) await takeNames();
  if (times.length > 0) {
    const { readTimes } = await import('./read-times.ts');
    take(readTimes(rest(), times, knowledge.now));
    // "with codex" counts at the end of the remaining query.
    await takeNames();
  }
  // "sessions from last week where we discussed X": the rest of what asks.
  await takeAsking();
  if (rest().includes(':')) {
    // Loaded for queries with a colon alone.
    const { findKeyed } = await import('./read-keyed.ts');
    for (const { kind, name, from, ...place } of findKeyed(rest()))
      if (nameMention({ kind, name, ...place }, await knowledge.names(kind)) === null)
        unknown.set(name, { kind, name, from });
  }
  mentions.sort((a, b) => a.start - b.start);
  const isTime = ({ filter = {} }: Mention) => filter.since !== undefined || filter.until !== undefined;
  // "everything I want" asks for nothing.
  if (mentions.every(({ needsTopic }) => needsTopic === true) && !/[\p{L}\p{N}]/u.test(rest()))
    return combine(text, [], [], unknown);
  const timed = mentions.filter(isTime);
  // A question may tell two times of something else: "what was last week before 23 January?"
  if (!contradict(filterOf(timed))) return combine(text, mentions, [], unknown);
  const words = timed.map(({ start, end }) => text.slice(start, end).trim());
  return combine(
    text,
    mentions.filter((mention) => !isTime(mention)),
    words,
    unknown,
  );
}

/** What sets a part of a query off, or begins what is excluded or names a repository. */
const MAY_RESTRICT =
  /[,;:](?:\s|$)|\s[-–—|]\s|[()[\]\n]|(?:^|[\s\0])(?:@\w|(?:not|except|excl\.|exclud(?:e|ing)|leav(?:e|ing)|ignor(?:e|ing)|omit(?:ting)?|skip(?:ping)?|without|neither|minus|outside|other|apart|aside|but|only|just)\s)|\sonly$/i;

/** After these, words mean the opposite: "not with codex", "not in web-shop or with codex". */
const NEGATED =
  /(?:\b(?:not|no|never|except|excluding|without|than|(?:any|every)thing but|all but)|n['’]t)\s+(?:for\s+)?(?:(?:in|inside|within|from|with|using|by)\s+[^\s\0]{1,99}\s{0,9}(?:,|n?or)\s+)?$/i;

function combine(
  text: string,
  mentions: Mention[],
  contradictory: string[],
  unknown: Map<string, UnknownName>,
): Understanding {
  const filter = filterOf(mentions);
  const understood = mentions
    .flatMap((mention) =>
      mention.understood.map((one) => ({
        ...one,
        from: text.slice(mention.start, mention.end).replace(AROUND, ''),
      })),
    )
    .filter(({ kind, value }) => (kind !== 'since' && kind !== 'until') || filter[kind] === value);
  const outside = mentions.flatMap((mention) => mention.outside ?? []);
  const isText = ({ text: shown }: { text: string }) =>
    !mentions.some(
      (one) => one.outside !== undefined && one.understood.some((other) => other.text === shown),
    );
  const valuesOf = (kind: string) =>
    understood.filter((one) => one.kind === kind && isText(one)).map(({ value }) => value);
  const allowed = mentions.flatMap(({ outcomes }) => (outcomes === undefined ? [] : [outcomes]));
  return {
    text: withoutMentions(text, mentions),
    filter,
    outcomes: allowed.length === 0 ? null : allowed.flat(),
    mine: mentions.some(({ mine }) => mine === true),
    not: valuesOf('not'),
    outside,
    phrases: valuesOf('phrase'),
    understood,
    contradictory,
    unknown: [...unknown.values()],
  };
}

/** What sets words off from others. */
const AROUND = /^(?:[\s,;:()[\]|–—]|-(?=\s))+|[\s,;:()[\]|–—-]{1,99}$/g;

function filterOf(mentions: Mention[]): NamedFilter {
  const filter: NamedFilter = {};
  for (const mention of mentions) Object.assign(filter, narrowed(filter, mention.filter ?? {}));
  return filter;
}

/** Of two beginnings the later one counts, of two ends the earlier: "since March, last week". */
function narrowed(filter: NamedFilter, added: NamedFilter): NamedFilter {
  const [since, until] = (['since', 'until'] as const).map((field) =>
    [filter[field], added[field]].flatMap((time) => (time === undefined ? [] : [time])).sort(),
  );
  return setFields({ ...added, since: since?.at(-1), until: until?.[0] });
}

function withoutMentions(text: string, mentions: Mention[]): string {
  let left = '';
  let at = 0;
  for (const { start, end, keep = '' } of mentions) {
    left += `${text.slice(at, start)}${keep}`;
    at = end;
  }
  if (mentions.length === 0) return text;
  return `${left}${text.slice(at)}`.replace(/\s+/g, ' ').replace(/^[\s,;:]+|(?<![\s,;:])[\s,;:]+$/g, '');
}

type Times = Pick<SessionFilter, 'since' | 'until'>;

function contradict({ since, until }: Times): boolean {
  return since !== undefined && until !== undefined && Date.parse(since) > Date.parse(until);
}

/** @throws SmartForkError USAGE for options that contradict each other */
export function checkTimes(times: Times): void {
  const { since, until } = times;
  if (since === undefined || until === undefined || !contradict(times)) return;
  throw new SmartForkError(
    'USAGE',
    `no session is both since ${dateTime(since)} and until ${dateTime(until)}`,
    {
      hint: 'Put the start before the end.',
    },
  );
}
