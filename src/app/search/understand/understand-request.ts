import { excluded } from '../../../domain/query/read-terms.ts';
import type { TimeFound } from '../../../domain/query/time-range.ts';
import { checkTimes, understandQuery } from '../../../domain/query/understand-query.ts';
import type { NameKind, Understanding, Understood } from '../../../domain/query/understanding.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { SessionFilter } from '../../../domain/search/search.ts';
import type { Notice } from '../../../domain/search-result.ts';
import { languageNames } from '../../../domain/session/languages.ts';
import type { Outcome } from '../../../domain/session/session.ts';
import { shortId } from '../../../domain/session/session-id.ts';
import { setFields } from '../../../domain/set-fields.ts';
import { eachSession, type PointStore } from '../../../ports/point-store.ts';
import { findSession } from '../../sessions/find-session.ts';
import { sessionsWithOwnWords, sessionsWithPhrase, sessionsWithText } from './sessions-with.ts';

export interface UnderstandDependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
  /** Finds times expressed in words. */
  times(text: string, now: number): Promise<TimeFound[]>;
}

export interface UnderstandOptions {
  query: string;
  filter?: SessionFilter;
  /** Texts that no result may contain. */
  not?: string[];
  /** Ids, or unique prefixes, of sessions to leave out. */
  exclude?: string[];
  /** Treats every word of the query as a search word. */
  literal?: boolean;
  /** Only sessions with one of these outcomes, whatever the query says about outcomes. */
  outcomes?: Outcome[];
  /** Only what the user said. */
  mine?: boolean;
}

/** A request after it was understood. */
export interface Said {
  text: string;
  filter: SessionFilter;
  /** The same without filters by where, when and how sessions were: what certainty compares a result with. */
  among: SessionFilter;
  /** The request's own conditions, without those of the query, used if nothing matches. */
  unrestricted: Pick<Said, 'filter' | 'outcomes' | 'mine'>;
  outcomes: Understanding['outcomes'];
  /** Only what the user said. */
  mine: boolean;
  understood: Understood[];
  notices: Notice[];
  /** What is excluded, in words, and the number of sessions that this left out. */
  excluded: { texts: string[]; outside: string[]; sessions: number };
}

/**
 * Understands a request: splits the query into a topic and conditions, and combines all filters.
 * @throws SmartForkError USAGE for contradictory times; SESSION_NOT_FOUND for an unknown id to exclude
 */
export async function understandRequest(
  deps: UnderstandDependencies,
  options: UnderstandOptions,
  now: number,
): Promise<Said> {
  const given = options.filter ?? {};
  checkTimes(given);
  const read =
    options.literal === true
      ? {
          text: options.query,
          filter: {},
          outcomes: null,
          mine: false,
          not: [],
          outside: [],
          phrases: [],
          understood: [],
          contradictory: [],
          unknown: [],
        }
      : await understandQuery(options.query, given, { now, names: namesIn(deps.store), times: deps.times });
  const unknown = read.unknown.length === 0 ? null : await unknownNames(deps, read);
  const not = [...new Set((options.not ?? []).map((text) => text.trim()).filter(Boolean))];
  const texts = [...new Set([...read.not, ...not])];
  const exclude = await idsOf(deps.store, options.exclude ?? []);
  const [withTexts, phrases] = [
    await sessionsWithText(deps, texts),
    await quoted(deps, [...new Set(read.phrases)]),
  ];
  const named = await repositoriesNamed(deps.store, read.not);
  const filters = [...read.outside, ...named.map((repo_name) => ({ repo: { repo_name } }))];
  const outside = (await Promise.all(filters.map((filter) => sessionsOf(deps.store, filter)))).flat();
  const withoutIds = [...(given.excludeSessionIds ?? []), ...exclude, ...withTexts];
  const excludedIds = [...withoutIds, ...outside];
  const unrestricted = excludedIds.length > 0 ? { ...given, excludeSessionIds: excludedIds } : given;
  const own = await sessionsWithOwnWords(deps, options.mine === true || read.mine ? read.text : '');
  const ids = [phrases.ids, own].reduce(
    (found: string[] | undefined, some) => (some === null ? found : within(found, some)),
    given.sessionIds,
  );
  const isMine = options.mine === true;
  const restricted = isMine && own !== null ? within(given.sessionIds, own) : given.sessionIds;
  return {
    text: unknown?.text ?? read.text,
    filter: setFields({
      ...read.filter,
      ...unrestricted,
      sessionIds: ids,
    }),
    among: setFields({
      asOf: given.asOf,
      sessionIds: ids,
      excludeSessionIds: withoutIds.length > 0 ? withoutIds : undefined,
    }),
    unrestricted: {
      filter: setFields({ ...unrestricted, sessionIds: restricted }),
      outcomes: options.outcomes ?? null,
      mine: isMine,
    },
    outcomes: options.outcomes ?? read.outcomes,
    mine: isMine || read.mine,
    understood: once([
      ...read.understood.filter(({ kind, value }) => kind !== 'phrase' || phrases.found.includes(value)),
      ...(unknown?.understood ?? []),
      ...not.map((text) => ({ ...excluded(text), from: null })),
      ...exclude.map(
        (id): Understood => ({
          kind: 'exclude',
          value: id,
          from: null,
          text: `not session ${shortId(id)}`,
        }),
      ),
    ]),
    notices: [...(unknown?.notices ?? []), ...contradictionNotices(read.contradictory), ...phrases.notices],
    excluded: {
      texts,
      outside: [
        ...(read.outside.length === 0 ? [] : outsideTexts(read)),
        ...named.map((name) => `in ${name}`),
      ],
      sessions: new Set([...withTexts, ...outside]).size,
    },
  };
}

/** "in web-shop", of "not in web-shop". */
function outsideTexts({ understood, not }: Pick<Understanding, 'understood' | 'not'>): string[] {
  const wholes = understood.filter(({ kind, value }) => kind === 'not' && !not.includes(value));
  return wholes.map(({ text }) => text.replace(/^not /, ''));
}

/** An excluded word that is the name of a repository excludes its sessions, too: they need not contain it. */
async function repositoriesNamed(store: PointStore, not: string[]): Promise<string[]> {
  if (not.length === 0) return [];
  const words = new Set(not.map((word) => word.toLowerCase()));
  return (await namesIn(store)('repo')).filter((name) => words.has(name.toLowerCase()));
}

const MAX_OUTSIDE = 10_000;

async function sessionsOf(store: PointStore, filter: SessionFilter): Promise<string[]> {
  const ids: string[] = [];
  for await (const { session_id } of eachSession(store, filter, MAX_OUTSIDE)) ids.push(session_id);
  return ids;
}

function contradictionNotices(words: string[]): Notice[] {
  if (words.length === 0) return [];
  const quoted = words.map((one) => `"${one}"`).join(' and ');
  const message = `no session is both ${quoted}: searched for these words`;
  return [{ code: 'TIMES_CONTRADICT', message }];
}

/** Without what was said before. */
function once(understood: Understood[]): Understood[] {
  const said = new Map<string, Understood>();
  for (const one of understood) if (!said.has(one.text)) said.set(one.text, one);
  return [...said.values()];
}

function namesIn(store: PointStore): (kind: NameKind) => Promise<string[]> {
  const field = (kind: Exclude<NameKind, 'lang'>) => (kind === 'repo' ? 'repo_name' : kind);
  return async (kind) =>
    kind === 'lang' ? languageNames() : (await store.facet(field(kind))).map(({ value }) => value);
}

async function unknownNames(deps: UnderstandDependencies, read: Pick<Understanding, 'unknown' | 'text'>) {
  const { findUnknown } = await import('./find-unknown.ts');
  return findUnknown(deps, read, namesIn(deps.store));
}

async function idsOf(store: PointStore, prefixes: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const prefix of new Set(prefixes)) ids.push((await findSession(store, prefix)).session_id);
  return [...new Set(ids)];
}

/** The sessions that contain every quoted text. A text that occurs nowhere is searched for by its words. */
async function quoted(
  deps: UnderstandDependencies,
  phrases: string[],
): Promise<{ ids: string[] | null; found: string[]; notices: Notice[] }> {
  let ids: string[] | null = null;
  const [found, notices]: [string[], Notice[]] = [[], []];
  for (const phrase of phrases) {
    const some = within(ids ?? undefined, await sessionsWithPhrase(deps, phrase));
    if (some.length > 0) {
      ids = some;
      found.push(phrase);
    } else {
      const where = ids === null ? 'no session contains' : 'no session also contains';
      notices.push({ code: 'PHRASE_NOT_FOUND', message: `${where} "${phrase}": searched for its words` });
    }
  }
  return { ids, found, notices };
}

function within(ids: string[] | undefined, wanted: string[]): string[] {
  return ids === undefined ? wanted : wanted.filter((id) => ids.includes(id));
}
