import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Text, with a prefix before it, to token ids, special tokens included; never more than the model takes. */
export type Tokenize = (text: string, prefix: string) => number[];

/** Reads tokenizer.json (and tokenizer_config.json, where there is one) of a model's folder. */
export async function loadTokenizer(directory: string, maxTokens: number): Promise<Tokenize> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const config = JSON.parse(await readFile(join(directory, 'tokenizer.json'), 'utf8'));
  const options = await readFile(join(directory, 'tokenizer_config.json'), 'utf8').then(
    JSON.parse,
    () => ({}),
  );
  const tokenizer = new Tokenizer(config, options);
  const encode = (text: string, special: boolean) =>
    tokenizer.encode(text, { add_special_tokens: special }).ids;
  const { before, after } = findSpecialTokens(encode('a', true), encode('a', false));
  const room = maxTokens - before.length - after.length;
  return (text, prefix) => {
    const ids = encode(prefix + cleanText(text, maxTokens), false);
    return [...before, ...(ids.length > room ? ids.slice(0, room) : ids), ...after];
  };
}

/**
 * Cut before tokenising, which costs time by the character: sixteen a token is more than any prose or code has.
 * Lone surrogates, which a cut may leave too, become the replacement character.
 */
export function cleanText(text: string, maxTokens: number): string {
  return text
    .trimStart()
    .slice(0, maxTokens * 16)
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The ids that the tokenizer puts around a text, so that a cut text keeps its end mark. */
function findSpecialTokens(whole: number[], plain: number[]): { before: number[]; after: number[] } {
  const start = plain.length === 0 ? whole.length : whole.indexOf(plain[0] ?? -1);
  if (start < 0) return { before: [], after: [] };
  return { before: whole.slice(0, start), after: whole.slice(start + plain.length) };
}
