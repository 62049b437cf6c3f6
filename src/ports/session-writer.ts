import { lexicalText } from '../domain/point/chunking.ts';
import type { ChunkPayload, IntentPayload, Point } from '../domain/point/point.ts';
import type { LexicalTokenizer } from '../domain/search/lexical.ts';
import type { PointStore, SessionChange } from './point-store.ts';

/** A change of a session before its texts are tokenized. */
export interface UntokenizedChange extends Omit<SessionChange, 'upserts' | 'tokens'> {
  upserts: Point<IntentPayload | ChunkPayload>[];
  /** All points of the session, for its token stream; null when it only grew: `refresh` updates the stream. */
  points: Point<IntentPayload | ChunkPayload>[] | null;
}

/**
 * Tokenizes sessions and writes them into the store, possibly in another thread while the caller reads the next transcripts. Writes
 * happen in the order of the calls.
 */
export interface SessionWriter {
  /** How many bytes of transcripts will follow, so that the writer can prepare. */
  expect(bytes: number): void;
  /** As PointStore.write. */
  write(changes: UntokenizedChange[]): Promise<{ conflicts: string[] }>;
  close(): Promise<void>;
}

/** Writes in the caller's thread. */
export function writeInPlace(store: Pick<PointStore, 'write'>, tokenizer: LexicalTokenizer): SessionWriter {
  return {
    expect: () => undefined,
    write: (changes) => store.write(changes.map((change) => tokenizeChange(change, tokenizer))),
    close: async () => undefined,
  };
}

export function tokenizeChange(
  { upserts, points, ...change }: UntokenizedChange,
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
