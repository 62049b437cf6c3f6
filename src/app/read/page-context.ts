import { SmartForkError } from '../../domain/errors.ts';
import { contextPage } from '../../domain/own/context-text.ts';
import type { Passage } from '../../domain/point/passages.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { SessionLocation } from '../sessions/locate-session.ts';
import { chooseContext, type ReadDependencies, readConversation } from './retrieve-session.ts';
import type { ConversationOrigin } from './with-transcript.ts';

interface ContextPage {
  from: ConversationOrigin;
  problem: string | null;
  location: SessionLocation;
  /** Counted from 1. */
  page: number;
  passages: Passage[];
  total: number;
  /** Cursor of the next page; null on the last one. */
  cursor: string | null;
  markdown: string;
}

interface PageRequest {
  session: SessionPayload;
  query?: string;
  maxTokens: number;
  /** From the previous page. Query and budget are then those of the first page. */
  cursor?: string;
}

interface PageDependencies extends ReadDependencies {
  tokenizer: LexicalTokenizer;
}

/**
 * A conversation in pages. The first page has the most important passages (beginning, matches, end); the others have the rest in
 * order. Passages added to a running session after the first page are left out.
 * @throws SmartForkError USAGE for a cursor of another session
 */
export async function pageContext(deps: PageDependencies, request: PageRequest): Promise<ContextPage> {
  const { session } = request;
  const place = request.cursor === undefined ? null : readCursor(request.cursor, session.session_id);
  const { all, ...read } = await readConversation(deps, session);
  const total = Math.min(place?.total ?? all.length, all.length);
  const known = all.slice(0, total);
  const query = place === null ? request.query : place.query;
  const maxTokens = place?.maxTokens ?? request.maxTokens;
  const asked = { session, maxTokens, query };
  const first = chooseContext(known, asked, deps.tokenizer);
  const shown = new Set(first.passages.map(({ index }) => index));
  const rest = known.filter(({ index }) => !shown.has(index) && index >= (place?.next ?? 0));
  const page = place?.page ?? 1;
  const { markdown, passages } = place === null ? first : contextPage(session, rest, { maxTokens, page });
  const next = rest[place === null ? 0 : passages.length];
  const following = { id: session.session_id, query, maxTokens, total, page: page + 1 };
  const cursor = next === undefined ? null : writeCursor({ ...following, next: next.index });
  return { ...read, page, passages, total, cursor, markdown };
}

interface Place {
  id: string;
  query: string | undefined;
  maxTokens: number;
  /** Number of passages when the first page was made. */
  total: number;
  page: number;
  /** Index of the first passage not shown yet. */
  next: number;
}

function writeCursor({ id, query, maxTokens, total, page, next }: Place): string {
  return Buffer.from(JSON.stringify([id, maxTokens, total, page, next, query ?? null])).toString('base64url');
}

function readCursor(cursor: string, sessionId: string): Place {
  const fields = parse(cursor);
  const [id, maxTokens, total, page, next, query] = fields;
  const numbers = [maxTokens, total, page, next].every((value) => Number.isSafeInteger(value));
  if (id !== sessionId || !numbers || Number(maxTokens) < 1) {
    throw new SmartForkError('USAGE', `the cursor does not belong to session ${sessionId}`, {
      hint: 'Leave it out to start with the first page.',
    });
  }
  return {
    id: sessionId,
    query: typeof query === 'string' ? query : undefined,
    maxTokens: Number(maxTokens),
    total: Number(total),
    page: Number(page),
    next: Number(next),
  };
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    // Not one of ours: the caller reports it.
    return [];
  }
}
