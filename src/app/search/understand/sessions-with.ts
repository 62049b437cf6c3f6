import { pointText } from '../../../domain/point/point.ts';
import { contentWords } from '../../../domain/search/coverage.ts';
import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';
import type { RankedLists, SessionFilter, StoredPoint } from '../../../domain/search/search.ts';
import type { PointStore } from '../../../ports/point-store.ts';

interface Dependencies {
  store: PointStore;
  tokenizer: LexicalTokenizer;
}

const MAX_SESSIONS = 10_000;
/** Maximum number of passages to compare with a quoted text. */
const MAX_COMPARED = 400;
/** With more tokens than this, passages that have all of them rank first, so the best MAX_COMPARED suffice. */
const FEW_TOKENS = 2;

/** The sessions that contain one of the texts: a single word exactly, several words in a row except for their endings. */
export async function sessionsWithText(
  { store, tokenizer }: Dependencies,
  texts: string[],
): Promise<string[]> {
  const found = new Set<string>();
  for (const text of texts) {
    const sets: Set<string>[] = [];
    for (const token of tellingTokens(tokenizer, text))
      sets.push(new Set(idsIn(await searchWords(store, [token], {}, MAX_SESSIONS))));
    for (const id of sets[0] ?? []) if (sets.every((ids) => ids.has(id))) found.add(id);
  }
  return [...found];
}

/**
 * The sessions with a passage that contains the text, whatever its case, white space and Unicode normal form. If too many passages have its one or two
 * words to compare all, also the sessions that `sessionsWithText` finds.
 */
export async function sessionsWithPhrase(deps: Dependencies, phrase: string): Promise<string[]> {
  const wanted = folded(phrase);
  const tokens = tellingTokens(deps.tokenizer, phrase);
  const passages = await passagesWith(deps.store, tokens);
  const matching = passages.filter(({ payload }) => folded(pointText(payload)).includes(wanted));
  const isComplete = passages.length < MAX_COMPARED || tokens.length > FEW_TOKENS;
  const others = isComplete ? [] : await sessionsWithText(deps, [phrase]);
  return [...new Set([...matching.map(({ payload }) => payload.session_id), ...others])];
}

/** Share of a query's words that a user's message must have. */
const ENOUGH = 0.5;

/** The sessions in which one message of the user has half of the words; null if there are none to look for. */
export async function sessionsWithOwnWords(
  { store, tokenizer }: Dependencies,
  text: string,
): Promise<string[] | null> {
  const stems = new Set(contentWords(tokenizer.words(text)).map(({ stem }) => stem));
  if (stems.size === 0) return null;
  const passages = await passagesWith(store, [...stems]);
  const isOwn = (said: string) =>
    new Set(tokenizer.locate(said, stems).map(({ stem }) => stem)).size >= stems.size * ENOUGH;
  const matching = passages.filter(({ payload }) => ownMessages(pointText(payload)).some(isOwn));
  return [...new Set(matching.map(({ payload }) => payload.session_id))];
}

/** What the user says in a passage. */
function ownMessages(passage: string): string[] {
  return passage.split(/^(?=(?:USER|USER \(reply\)|ASSISTANT): )/m).filter((said) => said.startsWith('USER'));
}

/** The passages that contain most of the tokens. */
export async function passagesWith(store: PointStore, tokens: string[]): Promise<StoredPoint[]> {
  if (tokens.length === 0) return [];
  const { chunksByWords } = await searchWords(store, tokens, {}, MAX_COMPARED);
  return store.getPoints((chunksByWords ?? []).map(({ point_id }) => point_id));
}

/** The pairs of adjacent words, and the words that are in no pair. */
function tellingTokens(tokenizer: LexicalTokenizer, text: string): string[] {
  const all = tokenizer.words(text);
  const telling = all.filter(({ stop }) => !stop);
  const words = telling.length > 0 ? telling : all;
  const pairs = tokenizer.tokens(text).filter((token) => token.includes('+'));
  const paired = new Set(pairs.flatMap((pair) => pair.split('+')));
  const single = words.filter(({ stem }) => !paired.has(stem.slice(1))).map(({ word }) => word);
  return [...pairs, ...single];
}

async function searchWords(
  store: PointStore,
  tokens: string[],
  filter: SessionFilter,
  limit: number,
): Promise<RankedLists> {
  const limits = { sessions: limit, chunks: limit, intents: 1 };
  return (await store.find({ tokens, vector: null, filter, limits })).lists;
}

/** The newest words of a session that grew are only in its passages. */
function idsIn({ sessionsByWords, chunksByWords }: RankedLists): string[] {
  return [...(sessionsByWords ?? []), ...(chunksByWords ?? [])].map(({ session_id }) => session_id);
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}
