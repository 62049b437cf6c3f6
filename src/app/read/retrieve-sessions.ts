import type { Passage } from '../../domain/point/passages.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import { estimateTokens } from '../../domain/text/tokens.ts';
import {
  chooseContext,
  type RetrieveDependencies,
  type RetrievedContext,
  readConversation,
} from './retrieve-session.ts';

interface RetrieveManyRequest {
  sessions: SessionPayload[];
  query?: string;
  /** Budget for all contexts together in estimated tokens; null: unlimited. */
  maxTokens: number | null;
}

export interface RetrievedPart extends RetrievedContext {
  /** Number of passages left out because an earlier session contains them. */
  repeated: number;
}

/**
 * The contexts of several sessions within one budget. Text that sessions have in common, such as a fork and its parent, appears only in
 * the first of them. A session that needs less than its share leaves the rest to the others.
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
    const asked = { session, maxTokens: budgets[at] ?? null, query };
    return {
      session,
      ...read,
      repeated,
      total: passages.length,
      ...chooseContext(passages, asked, deps.tokenizer),
    };
  });
}

/** In UTF-16 units. Shorter passages, such as "commit", occur in many sessions. */
const LONG_PASSAGE = 120;

/** Drops the beginning shared with an earlier conversation, and long passages that occur anywhere in one. */
function withoutRepeated(conversations: Passage[][]): { passages: Passage[]; repeated: number }[] {
  const seen = new Set<string>();
  return conversations.map((all, at) => {
    const rests = conversations.slice(0, at).map((one) => afterCommonBeginning(all, one));
    const rest = rests.reduce((least, one) => (one.length < least.length ? one : least), all);
    const own = rest.filter(({ text }) => !seen.has(text));
    for (const { text } of all) if (text.length >= LONG_PASSAGE) seen.add(text);
    // Gaps in the indexes show what was left out.
    const passages = own.map((passage, index) => ({ ...passage, index }));
    return { passages, repeated: all.length - own.length };
  });
}

/** A fork's passages without those of its parent. The last common passage may continue differently. */
function afterCommonBeginning(all: Passage[], earlier: Passage[]): Passage[] {
  const end = all.findIndex(({ text }, at) => earlier[at]?.text !== text);
  const [first, ...others] = end < 0 ? [] : all.slice(end);
  if (first === undefined) return [];
  const common = commonLines(first.text, earlier[end]?.text ?? '');
  if (end === 0 && common < LONG_PASSAGE) return all;
  return [{ ...first, text: first.text.slice(common) }, ...others];
}

/** Length of the whole lines that both texts begin with. */
function commonLines(one: string, other: string): number {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return one.lastIndexOf('\n', same - 1) + 1;
}

/** Estimated tokens, more than any context needs around its passages. */
const AROUND = 1000;
/** Estimated tokens printed around a passage. */
const AROUND_PASSAGE = 30;

function wantedTokens(passages: Passage[]): number {
  return passages.reduce((sum, { text }) => sum + estimateTokens(text) + AROUND_PASSAGE, AROUND);
}

/** Divides a budget equally, except that nobody gets more than wanted. */
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
