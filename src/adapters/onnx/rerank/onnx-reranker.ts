import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tensor } from 'onnxruntime-node';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import type { Reranker } from '../../../ports/rerank/reranker.ts';
import { keepOpen } from '../keep-open.ts';
import { type OnnxSession, openOnnxSession, type Tokens } from '../onnx-session.ts';
import { cleanText, readTokenizer } from '../tokenize.ts';
import type { LocatedReranker } from './locate-reranker.ts';

interface OnnxRerankerOptions {
  name: string;
  locate: () => Promise<LocatedReranker>;
  /** The path of the runtime's main file; null if it is not installed. */
  runtime: () => string | null;
  /** Called whenever the model is loaded. */
  threads: () => Promise<number>;
  /** Idle time after which the model is released, in milliseconds. */
  idleMs: number;
}

/** Tokens per query and passage together. Passages are about as long, and time grows with the length. */
const LONGEST_PAIR = 256;

/** A cross-encoder: an ONNX graph that returns one score per pair. */
export function createOnnxReranker(options: OnnxRerankerOptions): Reranker {
  const { name, locate, idleMs } = options;
  const model = keepOpen({
    open: () => loadReranker(options),
    release: ({ session }) => session.release(),
    idleMs,
  });
  return {
    name,
    state: async () => (await locate()).state,
    async score(query, texts, signal) {
      signal.throwIfAborted();
      try {
        return await model.use((loaded) => scoreTexts(loaded, query, texts, signal));
      } catch (error) {
        signal.throwIfAborted();
        throw unavailable(name, errorText(error), error);
      }
    },
    close: () => model.close(),
  };
}

interface LoadedReranker {
  session: OnnxSession;
  tokenize: TokenizePair;
}

async function loadReranker({ locate, runtime, threads }: OnnxRerankerOptions): Promise<LoadedReranker> {
  const { state, graph } = await locate();
  if (state.state !== 'ready') throw new Error(state.reason);
  const path = runtime();
  if (path === null) throw new Error('onnxruntime-node, which runs it, is not installed');
  const { directory } = state;
  const config = JSON.parse(await readFile(join(directory, 'config.json'), 'utf8'));
  const positions = Number(config.max_position_embeddings) || LONGEST_PAIR;
  const tokenize = await loadPairTokenizer(directory, Math.min(LONGEST_PAIR, positions));
  const session = await openOnnxSession(join(directory, graph), {
    threads: await threads(),
    runtime: path,
    output: 'logits',
  });
  return { session, tokenize };
}

async function scoreTexts(
  { session, tokenize }: LoadedReranker,
  query: string,
  texts: string[],
  signal: AbortSignal,
): Promise<number[]> {
  const scores: number[] = [];
  for (const text of texts) {
    signal.throwIfAborted();
    scores.push(await session.run(tokenize(query, text), readScore));
  }
  return scores;
}

/** Accepts one score, or two: for an irrelevant and for a relevant passage. */
function readScore({ data, dims, type }: Tensor): number {
  const [first, second] = data instanceof Float32Array ? data : [];
  const isScore = String(dims) === '1,1' || String(dims) === '1,2' || String(dims) === '1';
  if (first === undefined || !isScore || !Number.isFinite(first))
    throw new Error(`its graph returns ${type} [${dims}], expected one score`);
  return second === undefined ? first : second - first;
}

function unavailable(name: string, reason: string, cause: unknown): SmartForkError {
  return new SmartForkError('MODEL_UNAVAILABLE', `cannot run the reranker ${name}: ${reason}`, {
    hint: 'Check it: smart-fork doctor. Without it: smart-fork config unset search.reranker',
    cause,
  });
}

/** Converts a query and a text to at most `maxTokens` tokens, special tokens included. The text is truncated. */
type TokenizePair = (query: string, text: string) => Tokens;

/** Largest share of the tokens for the query. */
const QUERY_SHARE = 0.5;

/** Reads the tokenizer in a model folder. It must support pairs of texts. */
async function loadPairTokenizer(directory: string, maxTokens: number): Promise<TokenizePair> {
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
