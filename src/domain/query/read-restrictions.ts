import { isStatement } from './is-statement.ts';
import { mentionsPastWork } from './mentions-past-work.ts';
import { MINE, OWN_WORDS } from './read-asking.ts';
import {
  AGENT,
  agentMayBeTopic,
  isUsualRepository,
  isUsualWord,
  nameMention,
  withoutNamed,
} from './read-names.ts';
import { isPlain, isRelative, LEAD, LIMITS } from './read-times.ts';
import { limitTime, readOnwards, sideOf, type TimeFound } from './time-range.ts';
import { dealsWithTimes, isCalendar } from './time-topics.ts';
import { MASK, type Mention, type NameKind } from './understanding.ts';

interface Known {
  now: number;
  times: TimeFound[];
  names(kind: NameKind): Promise<string[]>;
}

interface Restriction extends Mention {
  of: NameKind | 'time' | 'mine' | 'not';
  /** It is nothing else: "in web-shop", "only codex", "last week", unlike "codex" and "Feb 20". */
  isSaid: boolean;
  /** "with codex" is often part of what happened. */
  isLoose?: boolean;
  /** "Q3" and "spring" are often something else. */
  isVague?: boolean;
  /** "2025" may be the year of anything. */
  isYear?: boolean;
  /** "in June", unlike "since June" */
  isPeriod?: boolean;
}

/** [start, end), after a mark such as a comma; the first one after none. */
interface Part {
  start: number;
  end: number;
  mark: string;
}

/**
 * The parts at the beginning and the end of a query that a comma, a colon, a dash or brackets set off, if they are nothing but
 * restrictions: "codex not claude: …", "…, only my own words". Also what the end excludes: "… everywhere except web-shop".
 */
export async function readRestrictions(masked: string, known: Known): Promise<Mention[]> {
  const parts = partsOf(masked);
  const read: (Restriction[] | null | undefined)[] = [];
  const readAt = async (at: number) => {
    const part = parts[at];
    read[at] = part === undefined ? null : await readPart(masked, part, known, parts.length === 1);
    return read[at];
  };
  let first = 0;
  while (first < MOST_PARTS && first < parts.length && (await readAt(first)) !== null) first++;
  let last = parts.length;
  while (last > Math.max(first, parts.length - MOST_PARTS) && (await readAt(last - 1)) !== null) last--;
  const mentions: Mention[] = [];
  const run = (from: number, to: number) =>
    Array.from(parts.slice(from, to), (_, at) => read[from + at] ?? [null]).flat();
  const take = (first: number, last: number) => {
    const [start, end] = [
      first === 0 ? 0 : (parts[first - 1]?.end ?? 0),
      last === parts.length ? masked.length : (parts[last]?.start ?? masked.length),
    ];
    mentions.push(...covering(masked, [start, end], run(first, last)));
  };
  const topic = masked.slice(parts[first]?.start ?? masked.length);
  // "web-shop: carts", "[web-shop] carts"
  const isColon = /[:\]]/.test(parts[first]?.mark ?? '');
  if (isRun(run(0, first), { rest: topic, next: partText(masked, parts[first]), isColon })) take(0, first);
  else first = 0;
  for (; last < parts.length; last++) {
    const before = parts[last - 1];
    // "sort: last week"
    if (before === undefined || parts[last]?.mark === ':') continue;
    const rest = masked.slice(parts[first]?.start, before.end);
    if (await endsInList(rest, before.end, known)) continue;
    if (isRun(run(last, parts.length), { rest, next: partText(masked, before), isColon: false })) break;
  }
  if (last < parts.length) take(last, parts.length);
  const open = parts.slice(first, last);
  return [...mentions, ...(await readAts(masked, open, known)), ...(await readExcluded(masked, open, known))];
}

/** Of a list, more are not read. */
const MOST_PARTS = 8;

const MARK = /[,;:](?=\s|$)|\s[-–—|](?=\s)|[()[\]\n]/g;

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let [start, mark] = [0, ''];
  for (const { 0: found, index } of [...text.matchAll(MARK), { 0: '', index: text.length }]) {
    if (/[^\s\0.?!]/.test(text.slice(start, index))) parts.push({ start, end: index, mark });
    [start, mark] = [index + found.length, found.trim()];
  }
  return parts;
}

function partText(text: string, part: Part | undefined): string {
  return part === undefined ? '' : text.slice(part.start, part.end);
}

/** The restrictions, together as long as a range, apart from what is already understood there. */
function covering(
  text: string,
  [start, end]: [number, number],
  restrictions: (Restriction | null)[],
): Mention[] {
  const found = restrictions.flatMap((one) => one ?? []);
  return found.map(({ of, isSaid, isLoose, isVague, isPeriod, isYear, ...mention }, at) => {
    const place = { start: mention.start, end: mention.end };
    const first = found[at - 1]?.end ?? start;
    while (place.start > first && text[place.start - 1] !== MASK) place.start--;
    while (at === found.length - 1 && place.end < end && text[place.end] !== MASK) place.end++;
    return { ...mention, ...place };
  });
}

/** What a run of restrictions is next to. */
interface Side {
  /** Everything else. */
  rest: string;
  /** The part beside it. */
  next: string;
  /** A colon follows. */
  isColon: boolean;
}

/** Whether parts that may be restrictions are no part of the topic. */
function isRun(found: (Restriction | null)[], { rest, next, isColon }: Side): boolean {
  const all = found.flatMap((one) => one ?? []);
  const [one] = all;
  if (one === undefined || all.length < found.length) return false;
  const isTopicless = !/[\p{L}\p{N}]/u.test(rest);
  const kinds = all.map(({ of }) => of).filter((of) => of !== 'not');
  const isTwice = kinds.some((of, at) => of !== 'time' && kinds.indexOf(of) !== at);
  if (
    isTwice ||
    all.filter(({ isPeriod }) => isPeriod).length > 1 ||
    (isTopicless && !all.some(({ of, isSaid }) => isSaid && of !== 'not'))
  )
    return false;
  const isClaim = claims(rest);
  if (isClaim && (all.some(({ of }) => of === 'not') || all.every(({ isLoose }) => isLoose))) return false;
  if (all.some(({ isSaid }) => isSaid) || new Set(kinds).size > 1) return true;
  if (isClaim) return false;
  const isLong = /\w\s+\S*\w/.test(next);
  if (one.isYear && !isLong) return false;
  if (one.of === 'time') return one.isVague ? !isColon && !isCalendar(rest) : !dealsWithTimes(rest);
  if (one.of === 'mine') return isColon;
  // "web-shop: carts", but not the list "web-shop, admin"
  const [{ value = '' } = {}] = one.understood;
  return one.of === 'repo' && (isColon || (/[-_.\d]/.test(value) && isLong));
}

/** Whether words state something that is no question and no past work: "the cron job fails". */
function claims(words: string): boolean {
  return isStatement(words) && !mentionsPastWork(words) && !QUESTION.test(words);
}

const QUESTION =
  /^[\s\0]*(?:how|wh(?:at|en|ere|ich|o|y)|remind|show|find|list|(?:did|do|does|have|has|had|is|are|was|were|can|could|should)\s+(?:the|an?|any|i|it|my|our|some|that|there|these|they|this|we|you)\b)/i;

/** Whether the text before a part ends in a name or a time, so that the part may go on with a list. */
async function endsInList(text: string, end: number, { times, names }: Known): Promise<boolean> {
  if (times.some(({ index, text: found }) => index + found.length === end)) return true;
  if (AGENT_LAST.test(text)) return true;
  const word = text.split(/[\s\0]/).at(-1) ?? '';
  return /\s/.test(text.trim()) && /[-_.\d]/.test(word) && (await names('repo')).includes(word);
}

const AGENT_LAST = new RegExp(`(?:^|\\s)${AGENT}\\s{0,9}$`, 'i');

/** The restrictions that a part consists of; null if there is something else in it. */
async function readPart(
  text: string,
  { start, end }: Pick<Part, 'start' | 'end'>,
  known: Known,
  isWhole = false,
): Promise<Restriction[] | null> {
  if (end - start > LONGEST) return null;
  const found: Restriction[] = [];
  let at = start;
  for (;;) {
    at = match(found.length === 0 ? SPACE : JOINT, text, at)?.end ?? at;
    if (at >= end) return found.length === 0 ? null : found;
    const one =
      readTime(text, at, end, known) ??
      readMine(text, at, end) ??
      (await readNot(text, at, end, known)) ??
      (await readName(text, at, end, known, isWhole));
    if (one === null) return null;
    found.push(...[one].flat());
    at = found.at(-1)?.end ?? end;
  }
}

const SPACE = /[\s\0.?!]*(?:please\b[\s\0]*)?/iy;
const JOINT = /[\s\0.?!]*(?:(?:and|but)\s+|please\b[\s\0.?!]*)?/iy;
const HEDGE =
  /(?:(?:only|just|maybe|perhaps|probably|possibly|roughly|sometime|some\s+time|i\s+(?:think|guess|believe)|(?:it|that|this)\s+was|must\s+have\s+been|earlier|later|back|(?:all\s+|my\s+)?(?:sessions|chats|conversations))\s+)*/iy;

function match(
  pattern: RegExp,
  text: string,
  at: number,
): { groups: (string | undefined)[]; end: number } | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found === null ? null : { groups: [...found], end: at + found[0].length };
}

function readTime(text: string, start: number, end: number, { times, now }: Known): Restriction | null {
  const from = match(HEDGE, text, start)?.end ?? start;
  for (const time of times) {
    const stop = time.index + time.text.length;
    if (time.index < from || stop > end) continue;
    const lead = LEAD.exec(text.slice(from, time.index));
    if (lead === null || /[^\s.?!,;:)\]\0]/.test(text.slice(stop, stop + 1))) continue;
    const { side: onwards, length } = readOnwards(text.slice(stop, end));
    const isAge = time.limits === 'before' || time.limits === 'since';
    const side = onwards ?? lead[1] ?? '';
    const word = isAge ? `${time.limits}` : sideOf(side);
    const limits = limitTime(time, { word, isLast: !/\bthe\s+$/i.test(text.slice(from, time.index)) }, now);
    if (limits === null) return null;
    const isSaid = isAge || side !== '' || from > start || isRelative(time);
    const isVague = !isSaid && !isPlain(time);
    const isPeriod = !LIMITS.has(word);
    const isYear = time.start.unit === 'year';
    return { of: 'time', isSaid, isVague, isPeriod, isYear, start, end: stop + length, ...limits };
  }
  return null;
}

function readMine(text: string, start: number, end: number): Restriction | null {
  const found = match(OWN_WORDS, text, start);
  if (found === null || found.end > end || IN_TOPICS.test(found.groups[0] ?? '')) return null;
  return {
    of: 'mine',
    mine: true,
    isSaid: !/^my\s+\w+$/i.test(found.groups[0] ?? ''),
    start,
    end: found.end,
    understood: MINE,
  };
}

const IN_TOPICS = /^(?:(?:by\s+|from\s+|on\s+)?(?:me|mine)|my\s+words|(?:the\s+)?users?\S*\s+\w+)$/i;

const ALL =
  '(?:any(?:thing|where)?|all|every(?:thing|where)?)(?:\\s+(repo(?:sitorie)?s?|repository|projects?|agents?|sessions?))?';
const BUT = '(?:besides|but|except(?:\\s+for)?|other\\s+than|apart\\s+from|outside(?:\\s+of)?)';
const NOT = `(?:(?:in|from|with)\\s+)?${ALL}\\s+${BUT}|(?:but\\s+|and\\s+)?(?:not(?:\\s+(?:counting|including))?|except(?:\\s+for)?|excl(?:\\.|ud(?:e|ing))|leav(?:e|ing)\\s+out|ignor(?:e|ing)|omit(?:ting)?|skip(?:ping)?|without|w\\/o|neither|minus|no|outside(?:\\s+of)?|(?:other|rather)\\s+than|instead\\s+of|(?:apart|aside)\\s+from)`;
/** "not just codex" excludes nothing. */
const NOT_HERE = new RegExp(`(${NOT})\\s+(?!(?:just|only)\\b)`, 'iy');
const OR = /\s{0,9},?\s{0,9}(?:and|or|nor)\s{1,9}(?:not\s{1,9})?/iy;

/** What is not wanted: "not codex", "except in web-shop and agents". */
async function readNot(
  text: string,
  start: number,
  end: number,
  known: Known,
): Promise<Restriction[] | null> {
  const not = match(NOT_HERE, text, start);
  if (not === null) return readLeftOut(text, start, end, known);
  const found: Restriction[] = [];
  for (let at: number | null = not.end; at !== null; ) {
    const named: Restriction | null = await readName(text, at, end, known);
    if (named === null) break;
    found.push(excluding(named, found.length === 0 ? start : at, named.end));
    at = match(OR, text, named.end)?.end ?? null;
  }
  return found.length === 0 ? null : found;
}

/** "codex excluded", "leave codex out" */
async function readLeftOut(
  text: string,
  start: number,
  end: number,
  known: Known,
): Promise<Restriction[] | null> {
  const leave = match(LEAVE, text, start);
  const from = leave?.end ?? start;
  const out = (leave === null ? LEFT_OUT : OUT).exec(text.slice(from, end));
  if (out === null) return null;
  const named = await readName(text.slice(0, from + out.index), from, from + out.index, known);
  return named === null || /\S/.test(text.slice(named.end, from + out.index))
    ? null
    : [excluding(named, start, from + out.index + out[0].length)];
}

const LEAVE = /(?:but\s+)?leav(?:e|ing)\s+/iy;
const OUT = /(?<=\s)out\b/i;
const LEFT_OUT = /(?<=\s)(?:excluded|left\s{1,9}out)(?=[\s.?!]{0,9}$)/i;

function excluding(named: Restriction, start: number, end: number): Restriction {
  return { of: 'not', isSaid: true, ...withoutNamed(named), start, end };
}

const BEFORE_NAME =
  /(?:(only|just)\s+)?(?:(?:all\s+|my\s+)?(?:sessions|chats|conversations)\s+(?=in\b|from\b|with\b))?(?:(in|inside|within|from|for|on|with|using|by|via)\s+)?(?:(only)\s+)?(?:(?:the|our|my|an?|all)\s+)*(?:(repo|repository|project|codebase|agent)\s+)?/iy;
const AFTER_NAME =
  /(?:['’]s)?(?:\s+(repo|repository|project|codebase|sessions?|chats?|conversations?))?(?:\s+(only))?(?=[\s\0.?!,:;)\]]|$)/iy;
const AGENT_HERE = new RegExp(`${AGENT}(?![\\w-]|\\.\\w)`, 'iy');
const KEYED = /(repo|agent|lang):([\w.@/+#-]*[\w+#])/iy;
const REPOSITORY = /@?[\p{L}\p{N}_](?:[\p{L}\p{N}._/-]*[\p{L}\p{N}_])?(?![\p{L}\p{N}_@/-])/uy;
/** Words that may follow a restriction in the same part. */
const GOES_ON =
  /^[\s\0]*(?:$|[.?!]|(?:and|but|not|or|nor|in|with|using|from|by|via|since|before|after|until|last|this|past|yesterday|today|repo|repository|project|codebase|only|sessions?)\b)/i;

async function readName(
  text: string,
  start: number,
  end: number,
  { names, times }: Known,
  isWhole = false,
): Promise<Restriction | null> {
  const lead = match(BEFORE_NAME, text, start);
  const at = lead?.end ?? start;
  const [, only, preposition, alsoOnly, noun] = lead?.groups ?? [];
  const keyed = match(KEYED, text, at);
  const agent = match(AGENT_HERE, text, at);
  const word = match(REPOSITORY, text, at);
  const kind = (keyed?.groups[1]?.toLowerCase() ??
    (agent !== null && noun !== 'repo' ? 'agent' : 'repo')) as NameKind;
  const name = keyed?.groups[2] ?? agent?.groups[1] ?? word?.groups[0] ?? '';
  const nameEnd = (keyed ?? agent ?? word)?.end ?? at;
  if (name === '' || nameEnd > end) return null;
  const tail = match(AFTER_NAME, text, nameEnd);
  if (tail === null) return null;
  const [, what, atLast] = tail.groups;
  const isOnly = only !== undefined || alsoOnly !== undefined || atLast !== undefined;
  const isSessions = what !== undefined && /^[sc][eho]/i.test(what) && !/^codebase$/i.test(what);
  const isNamed = keyed !== null || noun !== undefined || (what !== undefined && !isSessions);
  const isSaid = isOnly || isNamed || isSessions || preposition !== undefined || name.startsWith('@');
  if (isWhole && !isSaid) return null;
  if (kind === 'agent' && keyed === null) {
    if (preposition !== undefined && !/^(?:in|from|with|using|by|via)$/i.test(preposition)) return null;
    if (isUsualWord(name) && !isOnly && !isSessions) return null;
  }
  if (kind === 'repo' && !isNamed) {
    if (isUsualRepository(name) || /^(?:with|using|by|via)$/i.test(preposition ?? '')) return null;
    const isTime = times.some(({ index }) => /^\s+$/.test(text.slice(nameEnd, index)));
    const follows = text.slice(nameEnd, end);
    if (!isTime && !GOES_ON.test(follows) && match(AGENT_HERE, follows.trimStart(), 0) === null) return null;
  }
  const mention = nameMention({ kind, name, start, end: tail.end }, await names(kind));
  const isLoose = kind === 'agent' && !isOnly && !isNamed && !isSessions;
  return mention === null ? null : { of: kind, isSaid, isLoose, ...mention };
}

const NOT_ANYWHERE = new RegExp(`(?<=[\\s\\0])(${NOT})\\s+(?!(?:just|only)\\b)`, 'gi');
/** In these, a "not" is part of what is asked or stated: "why is the cart not in web-shop". */
const STATES =
  /(?:^|[\s\0])(?:but|how|wh(?:at|en|ere|ich|o|y)|is|are|was|were|do|does|did|has|have|had|can|could|should|will|would)(?=$|\s)|n['’]t(?=$|\s)/i;
/** Nothing, or a place that the name is compared with: "carts in admin but not in web-shop". */
const OTHER = /^\W*$|\b(?:in|inside|within|from|with|using|by|on)\s/i;
/** "every agent except codex", "supported in all but codex" */
const COMPARED =
  /\b(?:agents?|all|apps?|clis?|for|from|in|models?|of|on|providers?|repos?|to|tools?|with)\s*$/i;
/** "lint everything except web-shop", "build without web-shop": the object of what is to be done, unless it is set off. */
const OBJECT = /^(?:all|(?:any|every)(?!where)|no\b|without|w\/o)/i;
/** A pasted text has no restriction that is longer. */
const LONGEST = 200;
/** Agents are rather left out like this than with "without". */
const LEAVES_OUT = /^(?:but|and|not|except|excl|leav|ignor|omit|other|apart|aside)/i;

/** What a query that is not divided excludes at its end. In what may state something, it says how to exclude a repository. */
async function readExcluded(text: string, open: Part[], known: Known): Promise<Mention[]> {
  const part = open.at(-1);
  if (part === undefined) return [];
  for (const { 0: found, 1: not = '', index } of text.matchAll(NOT_ANYWHERE)) {
    if (index < Math.max(part.start, part.end - LONGEST) || index >= part.end) continue;
    const restrictions = await readPart(text, { start: index, end: part.end }, known);
    const [first] = restrictions ?? [];
    if (restrictions === null || first?.of !== 'not') continue;
    const lead = text.slice(0, index);
    const isBut = /^but\s/i.test(not);
    const isStated = STATES.test(lead) || (isStatement(lead) && !mentionsPastWork(lead));
    const isRepository = first.outside?.repo !== undefined;
    const isTopic =
      isStated ||
      COMPARED.test(lead) ||
      OBJECT.test(not) ||
      (OTHER.test(lead) && (isBut || !/\w/.test(lead)));
    if (!isTopic && (isRepository || leavesOut(not, lead)))
      return covering(text, [index, part.end], restrictions);
    if (!isRepository || !/^(?:but\s+|and\s+)?not\b/i.test(not)) return [];
    const words = text.slice(index, first.end);
    const value = words.replace(/^(?:but|and)\s+/i, '');
    const [{ value: name = '' } = {}] = first.understood;
    const shown = `"${value}" as text; -repo:${name} excludes it`;
    return [
      {
        start: index,
        end: index + Math.max(found.length, words.length),
        keep: words,
        understood: [{ kind: 'text', value, text: shown }],
      },
    ];
  }
  return [];
}

function leavesOut(not: string, lead: string): boolean {
  if (!LEAVES_OUT.test(not) || agentMayBeTopic(lead)) return false;
  return !AGENT_ANYWHERE.test(lead);
}

const AGENT_ANYWHERE = new RegExp(`\\b${AGENT}\\b`, 'i');

const AT_FIRST = /^[\s\0]*@([\w.-]*\w)(?=\s+\S)/;
/** "cc @web-shop", "import @web-shop" name no repository of sessions. */
const MENTIONS =
  /\b(?:and|annotat\w+|as|at|by|cc|decorators?|for|from|handle|in|inside|import(?:s|ed)?|install(?:s|ed)?|mention(?:s|ed)?|notify|of|or|packages?|ping(?:s|ed)?|scope|tag(?:s|ged)?|the|to|users?|with)\s*$/i;

/** "@web-shop carts", "carts @web-shop" */
async function readAts(text: string, open: Part[], known: Known): Promise<Mention[]> {
  const [first, last] = [open[0], open.at(-1)];
  if (first === undefined || last === undefined) return [];
  const at = text.slice(0, last.end).lastIndexOf(' @') + 1;
  const found = at > last.start ? await readPart(text, { start: at, end: last.end }, known) : null;
  if (found !== null) {
    const before = text.slice(last.start, at);
    return MENTIONS.test(before) || claims(before) ? [] : covering(text, [at, last.end], found);
  }
  const begin = AT_FIRST.exec(text.slice(first.start, first.end));
  if (begin === null) return [];
  const after = text.slice(first.start + begin[0].length);
  const isTopic = isStatement(after.trim().split(/\s/)[0] ?? '') || claims(after);
  const name = begin[1] ?? '';
  if (isTopic || isUsualRepository(name)) return [];
  const place = { start: first.start + begin[0].indexOf('@'), end: first.start + begin[0].length };
  const mention = nameMention({ kind: 'repo', name, ...place }, await known.names('repo'));
  return mention === null ? [] : [mention];
}
