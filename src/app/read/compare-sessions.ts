import type { IdeaPayload, SessionPayload } from '../../domain/point/point.ts';
import { isSameCommit } from '../../domain/session/commit-hash.ts';
import type { Commit, SessionRecord } from '../../domain/session/session.ts';
import { clip } from '../../domain/text/clip.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { Turn } from '../sessions/conversation/turn.ts';
import type { ReadDependencies } from './retrieve-session.ts';
import { type SessionTurns, viewSession } from './view-session.ts';

/** What two sessions have in common, and what only the first or the second has. */
export interface Shared<T> {
  both: T[];
  first: T[];
  second: T[];
}

export interface Saying {
  /** Counted from 1. */
  turn: number;
  text: string;
}

export interface Comparison {
  sessions: [SessionRecord, SessionRecord];
  /** Number of turns that both begin with, if one is a fork of the other or both are forks of a third session. */
  common_turns: number;
  /** The user's prompts after the common turns. */
  asked: { first: Saying[]; second: Saying[] };
  /** Decisions after the common turns, without those from less reliable sources. */
  decided: { first: Saying[]; second: Saying[] };
  files: Shared<string>;
  commits: Shared<Commit>;
}

/** Compares what two sessions were asked, decided, changed and committed. */
export async function compareSessions(
  deps: ReadDependencies & { store: Pick<PointStore, 'listMemory'> },
  first: SessionPayload,
  second: SessionPayload,
): Promise<Comparison> {
  const [one, other] = [await viewSession(deps, first), await viewSession(deps, second)];
  const [common, otherCommon] = commonTurns(one.turns, other.turns);
  const sessionIds = [first.session_id, second.session_id];
  const filter = { sessions: { sessionIds }, kinds: ['decision' as const] };
  const ideas = await deps.store.listMemory('idea', filter, MAX_IDEAS);
  return {
    sessions: [one.session, other.session],
    common_turns: Math.min(common, otherCommon),
    asked: { first: questions(one.turns.slice(common)), second: questions(other.turns.slice(otherCommon)) },
    decided: { first: decisions(ideas, one, common), second: decisions(ideas, other, otherCommon) },
    files: mapShared(
      shared(ownFiles(one, common), ownFiles(other, otherCommon), ({ key: a }, { key: b }) => a === b),
      ({ path }) => path,
    ),
    commits: shared(first.commits, second.commits, isSame),
  };
}

/**
 * Number of turns at the beginning of each session that they share, up to the last one that both have. In between, one may have turns
 * that the agent did not copy: those that were taken back, or taken from the queue.
 */
function commonTurns(one: Turn[], other: Turn[]): [number, number] {
  const lastIn = (turns: Turn[], others: Turn[]) => {
    const keys = new Set(others.map(turnKey));
    return turns.findLastIndex((turn) => turn.timestamp !== null && keys.has(turnKey(turn))) + 1;
  };
  return [lastIn(one, other), lastIn(other, one)];
}

function turnKey({ user, timestamp }: Turn): string {
  return `${timestamp} ${user}`;
}

interface ComparedFile {
  path: string;
  /** The path from the repository's root, equal in sessions that were started in different folders of it. */
  key: string;
}

/** The files that a session changed after the common turns. The turns of a session without a transcript do not name files. */
function ownFiles({ session, turns }: SessionTurns, common: number): ComparedFile[] {
  const later = new Set(turns.slice(common).flatMap(({ files }) => files));
  const isKnown = common > 0 && turns.some(({ files }) => files.length > 0);
  const paths = isKnown ? session.files_touched.filter((path) => later.has(path)) : session.files_touched;
  return paths.map((path) => ({ path, key: keyOf(path, session) }));
}

function keyOf(path: string, { repo_path, working_directory }: SessionRecord): string {
  const [file, root, folder] = [path, repo_path, working_directory].map((one) => one.replaceAll('\\', '/'));
  const whole = isAbsolute(file ?? '') || !folder ? (file ?? '') : `${folder}/${file}`;
  const parts: string[] = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  const plain = parts.join('/');
  return root && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

function mapShared<T, U>({ both, first, second }: Shared<T>, map: (item: T) => U): Shared<U> {
  return { both: both.map(map), first: first.map(map), second: second.map(map) };
}

/** More than any two sessions have. */
const MAX_IDEAS = 1000;
const LONGEST_QUESTION = 300;

function questions(turns: Turn[]): Saying[] {
  return turns.flatMap(({ index, user }) => {
    const text = user.replace(/\s+/g, ' ').trim();
    return text === '' ? [] : [{ turn: index + 1, text: clip(text, LONGEST_QUESTION) }];
  });
}

function decisions(ideas: IdeaPayload[], { session, turns }: SessionTurns, common: number): Saying[] {
  return ideas
    .filter(({ session_id }) => session_id === session.session_id)
    .map((idea) => ({ turn: turnOf(idea, turns), text: idea.content, place: idea.chunk_index }))
    .filter(({ turn }) => turn >= common)
    .sort((a, b) => a.turn - b.turn || a.place - b.place)
    .map(({ turn, text }) => ({ turn: turn + 1, text }));
}

/** The turn at the idea's time. An idea's own number skips the turns of a parent that was missing when the fork was indexed. */
function turnOf({ timestamp, turn }: IdeaPayload, turns: Turn[]): number {
  if (timestamp === null) return turn;
  return turns.findLast((one) => one.timestamp !== null && one.timestamp <= timestamp)?.index ?? turn;
}

function isSame(one: Commit, other: Commit): boolean {
  const isKnown = one.hash !== '' && other.hash !== '';
  return isKnown ? isSameCommit(one.hash, other.hash) : one.subject === other.subject;
}

function shared<T>(first: T[], second: T[], same: (a: T, b: T) => boolean): Shared<T> {
  const isIn = (items: T[]) => (item: T) => items.some((one) => same(item, one));
  return {
    both: first.filter(isIn(second)),
    first: first.filter((item) => !isIn(second)(item)),
    second: second.filter((item) => !isIn(first)(item)),
  };
}
