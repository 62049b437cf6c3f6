import { lexicalText } from '../domain/point/chunking.ts';
import type { ChunkPayload, IntentPayload, Point } from '../domain/point/point.ts';
import type { LexicalTokenizer } from '../domain/search/lexical.ts';
import type { PointStore, SessionChange } from './point-store.ts';

/** What a session changes in the store, before its words are cut. */
export interface UncutChange extends Omit<SessionChange, 'upserts' | 'tokens'> {
  upserts: Point<IntentPayload | ChunkPayload>[];
  /** All that the session holds, for its token stream; null when it only grew: `refresh` brings that up to date. */
  points: Point<IntentPayload | ChunkPayload>[] | null;
}

/**
 * Cuts words and writes sessions into the store; may do so beside its caller, who reads the next transcripts meanwhile.
 * Writes happen in the order they were asked for.
 */
export interface SessionWriter {
  /** So many bytes of transcripts are to come: whether to prepare for much is the writer's affair. */
  expect(bytes: number): void;
  /** As PointStore.write. */
  write(changes: UncutChange[]): Promise<{ conflicts: string[] }>;
  close(): Promise<void>;
}

/** Writes in the caller's own thread. */
export function writeInPlace(store: Pick<PointStore, 'write'>, tokenizer: LexicalTokenizer): SessionWriter {
  return {
    expect: () => undefined,
    write: (changes) => store.write(changes.map((change) => cutWords(change, tokenizer))),
    close: async () => undefined,
  };
}

export function cutWords(
  { upserts, points, ...change }: UncutChange,
  tokenizer: LexicalTokenizer,
): SessionChange {
  const cut = new Map<string, string>();
  const tokensOf = ({ id, payload }: Point<IntentPayload | ChunkPayload>): string | null => {
    if (payload.type === 'intent') return null;
    const tokens = cut.get(id) ?? tokenizer.stream(lexicalText(payload));
    cut.set(id, tokens);
    return tokens;
  };
  return {
    ...change,
    upserts: upserts.map((point) => ({ point, tokens: tokensOf(point) })),
    tokens: points === null ? null : points.map((point) => tokensOf(point) ?? '').join(''),
  };
}
