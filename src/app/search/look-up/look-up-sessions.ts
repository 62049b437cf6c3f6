import { pointText, type SessionPayload } from '../../../domain/point/point.ts';
import { type LookUp, readLookUps } from '../../../domain/query/read-look-ups.ts';
import { contentWords } from '../../../domain/search/coverage.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { SessionFilter } from '../../../domain/search/search.ts';
import { hashIn, nowText } from '../../../domain/session/commit-hash.ts';
import { NOTED, readMarks } from '../../../domain/tags/marks.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { passagesWith, sessionsWithPhrase } from '../understand/sessions-with.ts';
import { sessionsNaming } from './sessions-naming.ts';

interface LookUpDependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
}

export interface LookedUp {
  session_id: string;
  /** The name in the query that led to it: "commit 0f9e02bd: Turn the valve". */
  found_by: string;
  /** Whether the session only names it: it may have read it in a list. */
  isMention?: boolean;
}

const MAX_FOUND = 50;
const MAX_IDS = 5;

/** The sessions of a commit, pull request, branch, file, id or error line named in a query, newest first for each. */
export async function lookUpSessions(
  deps: LookUpDependencies,
  query: string,
  filter: SessionFilter,
): Promise<LookedUp[]> {
  const found = new Map((await lookUpNotes(deps, query, filter)).map((one) => [one.session_id, one]));
  const add = (sessions: LookedUp[]) => {
    for (const session of sessions)
      if (!found.has(session.session_id)) found.set(session.session_id, session);
  };
  const lookUps = readLookUps(query);
  const known = new Set<string>();
  for (const { kind, value, repository } of lookUps) {
    const sessions = await LOOK_UPS[kind](deps, value, filter, repository);
    if (sessions.length > 0) known.add(value);
    add(sessions);
  }
  for (const { kind, value } of lookUps)
    if (kind === 'commit' && !known.has(value)) add(await namingCommit(deps, value, filter));
  return [...found.values()];
}

/** For a commit that no session made itself, such as a merge on a server. */
async function namingCommit(
  deps: LookUpDependencies,
  hash: string,
  filter: SessionFilter,
): Promise<LookedUp[]> {
  const ids = await sessionsNaming(deps, hash);
  if (ids.length === 0) return [];
  const sessions = await listed(deps.store, within(filter, ids));
  return named(sessions, `commit ${hash}, named in it`).map((one) => ({ ...one, isMention: true }));
}

/** Sessions whose note contains every content word of the query. */
async function lookUpNotes(
  { store, tokenizer }: LookUpDependencies,
  query: string,
  filter: SessionFilter,
): Promise<LookedUp[]> {
  const stems = new Set(contentWords(tokenizer.words(query)).map(({ stem }) => stem));
  if (stems.size === 0) return [];
  const sessions = await listed(store, { ...filter, marks: [...(filter.marks ?? []), NOTED] });
  return sessions.flatMap(({ session_id, tags }) => {
    const { note } = readMarks(tags);
    if (note === null) return [];
    const said = new Set(tokenizer.words(note).map(({ stem }) => stem));
    return [...stems].every((stem) => said.has(stem)) ? [{ session_id, found_by: `note: ${note}` }] : [];
  });
}

type LookUpBy = (
  deps: LookUpDependencies,
  value: string,
  filter: SessionFilter,
  repository?: string,
) => Promise<LookedUp[]>;

const LOOK_UPS: Record<LookUp['kind'], LookUpBy> = {
  async session({ store }, value, filter) {
    const ids = (await store.findByIdPrefix(value, MAX_IDS)).map(({ session_id }) => session_id);
    return ids.length === 0 ? [] : named(await listed(store, within(filter, ids)), `session ${value}`);
  },
  async commit({ store }, value, filter) {
    const sessions = await listed(store, { ...filter, commit: value });
    return sessions.flatMap(({ session_id, commits }) => {
      for (const commit of commits) {
        const hash = hashIn(commit, value);
        if (hash === undefined) continue;
        const now = hash === commit.hash ? '' : nowText(commit.hash);
        return [{ session_id, found_by: `commit ${hash}${now}: ${commit.subject}` }];
      }
      return [];
    });
  },
  async pull({ store, tokenizer }, value, filter, repository) {
    const says = mentionOf(value);
    // The number alone may be in very many.
    const pairs = ['PR', 'MR', 'pull', 'request'].flatMap((word) =>
      tokenizer.tokens(`${word} ${value}`).filter((token) => token.includes('+')),
    );
    const passages = await passagesWith(store, [...pairs, ...tokenizer.tokens(value)]);
    const saying = passages.filter(({ payload }) => says.test(pointText(payload)));
    const ids = saying.map(({ payload }) => payload.session_id);
    if (ids.length === 0) return [];
    const sessions = await listed(store, within(filter, ids));
    const isIn = ({ repo_key, repo_name }: SessionPayload, wanted: string) =>
      `/${repo_key ?? repo_name}`
        .toLowerCase()
        .endsWith(`/${repo_key === null ? wanted.split('/')[1] : wanted}`);
    const quotes = ({ session_id }: SessionPayload, wanted: string) =>
      saying.some(
        ({ payload }) =>
          payload.session_id === session_id && pointText(payload).toLowerCase().includes(`${wanted}/`),
      );
    // A pull request's number may belong to any repository; its URL names the repository.
    const isOfIt = (session: SessionPayload) =>
      repository === undefined || isIn(session, repository) || quotes(session, repository);
    return named(sessions.filter(isOfIt), `pull request ${value}`);
  },
  branch: async ({ store }, value, filter) =>
    named(await listed(store, { ...filter, branch: value }), `branch ${value}`),
  file: async ({ store }, value, filter) =>
    named(await listed(store, { ...filter, file: value }), `file ${value}`),
  async error(deps, value, filter) {
    const ids = await sessionsWithPhrase(deps, value);
    return ids.length === 0
      ? []
      : named(await listed(deps.store, within(filter, ids)), 'the same error line');
  },
};

/** "#3" alone is more often a step, or the third of something, than a pull request. */
export function mentionOf(pull: string): RegExp {
  const named = '\\b(?:PR|MR|pull request|merge request)s? #?';
  const bare = pull.length === 1 ? '' : '#|';
  return new RegExp(`(?:${bare}${named}|/(?:pull|merge_requests)/)${pull}(?![\\w.])`, 'i');
}

async function listed(store: PointStore, filter: SessionFilter): Promise<SessionPayload[]> {
  return (await store.list(filter, MAX_FOUND)).sessions;
}

function named(sessions: SessionPayload[], found_by: string): LookedUp[] {
  return sessions.map(({ session_id }) => ({ session_id, found_by }));
}

function within(filter: SessionFilter, ids: string[]): SessionFilter {
  const { sessionIds } = filter;
  return {
    ...filter,
    sessionIds: sessionIds === undefined ? ids : ids.filter((id) => sessionIds.includes(id)),
  };
}
