import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Converts a prefix and a text to token ids, special tokens included, at most `maxTokens`. */
export type Tokenize = (text: string, prefix: string) => number[];

/** Reads tokenizer.json and, if present, tokenizer_config.json in a model folder. */
export async function loadTokenizer(directory: string, maxTokens: number): Promise<Tokenize> {
  const tokenizer = await readTokenizer(directory);
  const encode = (text: string, special: boolean) =>
    tokenizer.encode(text, { add_special_tokens: special }).ids;
  const { before, after } = findSpecialTokens(encode('a', true), encode('a', false));
  const room = maxTokens - before.length - after.length;
  return (text, prefix) => {
    const ids = encode(prefix + cleanText(text, maxTokens), false);
    return [...before, ...(ids.length > room ? ids.slice(0, room) : ids), ...after];
  };
}

export async function readTokenizer(directory: string) {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const config = JSON.parse(await readFile(join(directory, 'tokenizer.json'), 'utf8'));
  const options = await readFile(join(directory, 'tokenizer_config.json'), 'utf8').then(
    JSON.parse,
    () => ({}),
  );
  return new Tokenizer(config, options);
}

/**
 * Truncates the text, because tokenizing takes time for every character, and neither prose nor code has 16 characters per token. Lone
 * surrogates become the replacement character.
 */
export function cleanText(text: string, maxTokens: number): string {
  return text
    .trimStart()
    .slice(0, maxTokens * 16)
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The ids that the tokenizer adds around a text. They are added by hand, so that a truncated text keeps its end token. */
function findSpecialTokens(whole: number[], plain: number[]): { before: number[]; after: number[] } {
  const start = plain.length === 0 ? whole.length : whole.indexOf(plain[0] ?? -1);
  if (start < 0) return { before: [], after: [] };
  return { before: whole.slice(0, start), after: whole.slice(start + plain.length) };
}
