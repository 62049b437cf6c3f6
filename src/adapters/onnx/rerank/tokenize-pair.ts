import type { Tokens } from '../onnx-session.ts';
import { cleanText, readTokenizer } from '../tokenize.ts';

/** Converts a query and a text to at most `maxTokens` tokens, special tokens included. The text is truncated. */
export type TokenizePair = (query: string, text: string) => Tokens;

/** Largest share of the tokens for the query. */
const QUERY_SHARE = 0.5;

/** Reads the tokenizer in a model folder. It must support pairs of texts. */
export async function loadPairTokenizer(directory: string, maxTokens: number): Promise<TokenizePair> {
  const tokenizer = await readTokenizer(directory);
  const plain = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
  const pair = tokenizer.encode('a', { text_pair: 'b', return_token_type_ids: true });
  const [first, second] = [plain('a'), plain('b')];
  const at = pair.ids.indexOf(first[0] ?? -1);
  const then = pair.ids.indexOf(second[0] ?? -1, at + first.length);
  if (at < 0 || then < 0) throw new Error('its tokenizer does not support text pairs');
  const before = pair.ids.slice(0, at);
  const between = pair.ids.slice(at + first.length, then);
  const after = pair.ids.slice(then + second.length);
  const room = maxTokens - before.length - between.length - after.length;
  return (query, text) => {
    const asked = plain(cleanText(query, maxTokens)).slice(0, Math.floor(room * QUERY_SHARE));
    const read = plain(cleanText(text, maxTokens)).slice(0, room - asked.length);
    const ids = [...before, ...asked, ...between, ...read, ...after];
    const secondFrom = before.length + asked.length + between.length;
    const typeOfSecond = pair.token_type_ids[then] ?? 0;
    return { ids, types: ids.map((_, place) => (place < secondFrom ? 0 : typeOfSecond)) };
  };
}
