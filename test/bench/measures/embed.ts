import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { loadTokenizer } from '../../../src/adapters/onnx/tokenize.ts';
import { freeThreads } from '../../../src/adapters/system/power.ts';
import { pointText } from '../../../src/domain/point/point.ts';
import type { Bench, BenchContext, Row } from '../bench.ts';
import { indexWords, openLibrary } from '../library.ts';
import { ownMemory } from '../processes.ts';
import { alternate, timed } from '../timing.ts';

const TURNS = 3;
const TEXTS = 150;

export const embed: Bench = {
  name: 'embed',
  describe: 'embedding against a bare loop around the runtime',
  async run(context) {
    if (context.model === null) return 'no model: set SMART_FORK_MODEL_DIR';
    const { parts, texts } = await openTexts(context);
    const embedder = await parts.embedding.embedder();
    const record = embedder.model;
    const tokenize = await loadTokenizer(context.model, record.maxTokens);
    const ids = texts.map((text) => tokenize(text, record.documentPrefix));
    const loop = await openBareLoop(
      join(context.model, record.file),
      parts.config.embedding.threads ?? freeThreads(),
    );
    const times = await alternate(
      TURNS,
      () => timed(() => embedder.embedDocuments(texts)),
      () => timed(() => loop(ids)),
    );
    await parts.close();
    const tokens = ids.reduce((sum, one) => sum + one.length, 0);
    const perSecond = (ms: number) => (tokens * 1000) / ms;
    return [
      {
        what: `embed ${texts.length} chunks (${record.id.split('/').at(-1)})`,
        measured: { value: perSecond(times.subject), unit: 'tokens/s' },
        floor: { value: perSecond(times.floor), unit: 'tokens/s', label: 'bare onnxruntime' },
        target: { of: 'ratio', least: 0.9 },
      },
    ];
  },
};

export const embedMemory: Bench = {
  name: 'embed-memory',
  describe: 'memory of a process that embeds',
  async run(context) {
    if (context.model === null) return 'no model: set SMART_FORK_MODEL_DIR';
    const { parts, texts } = await openTexts(context);
    await (await parts.embedding.embedder()).embedDocuments(texts);
    await parts.close();
    const row: Row = {
      what: '… peak memory',
      measured: { value: ownMemory(), unit: 'MB' },
      floor: null,
      target: { of: 'measured', most: 700 },
    };
    return [row];
  },
};

async function openTexts({ claudeHome, model, scratch }: BenchContext) {
  const parts = await openLibrary(scratch, { claude: claudeHome ? [claudeHome] : undefined, model });
  await indexWords(parts);
  const points = await (await parts.store()).pointsWithoutVector(2000);
  const chunks = points.filter(({ payload }) => payload.type === 'chunk');
  const step = Math.max(1, Math.floor(chunks.length / TEXTS));
  const texts = chunks.filter((_, index) => index % step === 0).slice(0, TEXTS);
  return { parts, texts: texts.map(({ payload }) => pointText(payload)) };
}

/** Runs the graph on prepared token ids one by one, with the runtime's defaults except for threads. */
async function openBareLoop(graph: string, threads: number) {
  const session = await InferenceSession.create(graph, { intraOpNumThreads: threads });
  const values: Record<string, (id: number) => bigint> = {
    input_ids: BigInt,
    attention_mask: () => 1n,
    token_type_ids: () => 0n,
  };
  return async (texts: number[][]): Promise<void> => {
    for (const ids of texts) {
      const feeds = session.inputNames.map((name) => {
        const data = BigInt64Array.from(ids, values[name] ?? (() => 0n));
        return [name, new Tensor('int64', data, [1, ids.length])];
      });
      await session.run(Object.fromEntries(feeds));
    }
  };
}
