import type { Passage } from '../../domain/point/passages.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { estimateTokens } from '../../domain/text/tokens.ts';
import {
  chooseContext,
  type RetrieveDependencies,
  type RetrievedContext,
  readConversation,
} from './retrieve-session.ts';

export interface RetrieveManyRequest {
  sessions: SessionPayload[];
  query?: string;
  /** Budget for all contexts together, in estimated tokens; null: everything. */
  maxTokens: number | null;
}

export interface RetrievedPart extends RetrievedContext {
  /** How many passages were left out because a session before this one holds them. */
  repeated: number;
}

/**
 * The contexts of several sessions within one budget. What a session has in common with one before it, as a fork has with its
 * parent, is only in the first of them. A session that needs less than its share leaves the rest to the others.
 */
export async function retrieveSessions(
  deps: RetrieveDependencies,
  { sessions, query, maxTokens }: RetrieveManyRequest,
): Promise<RetrievedPart[]> {
  const conversations = [];
  for (const session of sessions) conversations.push({ session, ...(await readConversation(deps, session)) });
  const own = withoutRepeated(conversations.map(({ all }) => all));
  const budgets = shareBudget(
    maxTokens,
    own.map(({ passages }) => wantedTokens(passages)),
  );
  return conversations.map(({ session, all: _, ...read }, at): RetrievedPart => {
    const { passages = [], repeated = 0 } = own[at] ?? {};
    const asked = { session, maxTokens: budgets[at] ?? null, ...(query !== undefined && { query }) };
    return {
      ...{ session, ...read, repeated, total: passages.length },
      ...chooseContext(passages, asked, deps.tokenizer),
    };
  });
}

/** Shorter ones, such as "commit", are said in many sessions. */
const LONG_PASSAGE = 120;

/** What an earlier conversation begins with too, and long passages that are anywhere in one, are dropped. */
function withoutRepeated(conversations: Passage[][]): { passages: Passage[]; repeated: number }[] {
  const seen = new Set<string>();
  return conversations.map((all, at) => {
    const rests = conversations.slice(0, at).map((one) => afterCommonBeginning(all, one));
    const rest = rests.reduce((least, one) => (one.length < least.length ? one : least), all);
    const own = rest.filter(({ text }) => !seen.has(text));
    for (const { text } of all) if (text.length >= LONG_PASSAGE) seen.add(text);
    // Indexes say what is left out in between.
    const passages = own.map((passage, index) => ({ ...passage, index }));
    return { passages, repeated: all.length - own.length };
  });
}

/** A fork's passages without its parent's, where the last common one may go on differently. */
function afterCommonBeginning(all: Passage[], earlier: Passage[]): Passage[] {
  const end = all.findIndex(({ text }, at) => earlier[at]?.text !== text);
  const [first, ...others] = end < 0 ? [] : all.slice(end);
  if (first === undefined) return [];
  const common = commonLines(first.text, earlier[end]?.text ?? '');
  if (end === 0 && common < LONG_PASSAGE) return all;
  return [{ ...first, text: first.text.slice(common) }, ...others];
}

/** Length of the whole lines that two texts begin with. */
function commonLines(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return one.lastIndexOf('\n', same - 1) + 1;
}

/** More than any context needs around its passages. */
const AROUND = 1000;
/** What is printed around a passage. */
const AROUND_PASSAGE = 30;

function wantedTokens(passages: Passage[]): number {
  return passages.reduce((sum, { text }) => sum + estimateTokens(text) + AROUND_PASSAGE, AROUND);
}

/** Equal shares, of which nobody gets more than wanted. */
function shareBudget(maxTokens: number | null, wanted: number[]): (number | null)[] {
  if (maxTokens === null) return wanted.map(() => null);
  const budgets = new Array<number>(wanted.length).fill(0);
  const modestFirst = [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  let left = maxTokens;
  for (const [done, at] of modestFirst.entries()) {
    const share = Math.floor(left / (wanted.length - done));
    const budget = Math.min(share, wanted[at] ?? 0);
    budgets[at] = budget;
    left -= budget;
  }
  return budgets;
}
