import { SmartForkError } from '../../../domain/errors.ts';
import type { Embedder } from '../../../ports/embedder.ts';
import { type EmbedOptions, embedPending } from '../../index/embed-pending.ts';
import type { Task, TaskContext } from '../task.ts';

/** Passages between two battery checks, and between two writes. */
const EMBED_LIMIT = 64;
const EMBED_SLICE = 4;
/** Smaller, because each write to the server takes two requests. */
const HELP_SLICE = 16;
const HELP_EVERY_MS = 3_600_000;

/** Embeds this machine's passages, and those of other machines when there is nothing else to do. */
export function embedTasks(context: TaskContext): { embedHere: Task; embedForOthers: Task } {
  const { opened, log, now, request } = context;
  const { record } = context.presence;
  const { store } = opened.index;
  const model = openModel(context);
  const help = opened.server?.embed;
  return {
    embedHere: {
      isDue: model.isUsable,
      async run(signal) {
        // Checked first: without a model everything is pending, and counting that after each turn would cost more and more.
        if (!(await model.isReady())) return false;
        const { waiting, memory } = await store.count();
        if (waiting.intents + waiting.chunks + memory.waiting === 0) return false;
        return model.embed(signal, (embedder, options) =>
          embedPending({ store, embedder }, { ...options, slice: opened.batch ?? EMBED_SLICE }),
        );
      },
    },
    embedForOthers: {
      isDue() {
        const asked = Date.parse(record.helpedAt ?? '1970-01-01');
        const isTime = Math.abs(now() - asked) >= HELP_EVERY_MS;
        return (
          help !== undefined &&
          model.isUsable() &&
          isTime &&
          request.until !== 'drain' &&
          !context.onBattery()
        );
      },
      async run(signal) {
        if (help === undefined || !(await model.isReady())) return false;
        let isDone = true;
        const worked = await model.embed(signal, async (embedder, options) => {
          const done = await help(embedder, { ...options, slice: HELP_SLICE }).catch((error: unknown) => {
            if (!(error instanceof SmartForkError) || error.code === 'MODEL_UNAVAILABLE') throw error;
            log.error('cannot embed for others', { reason: error.message });
            return 0;
          });
          isDone = done === 0 && !signal.aborted;
          return done;
        });
        if (isDone) record.helpedAt = new Date(now()).toISOString();
        return worked;
      },
    },
  };
}

/** This machine's model. If it fails, the next worker tries it again. */
function openModel({ opened: { embedding }, presence, onBattery }: TaskContext) {
  const { record } = presence;
  let isBroken = false;
  return {
    isUsable: () => !isBroken,
    isReady: async () => (await embedding.state()).state === 'ready',
    /** Runs `work` unless the machine is on battery; returns whether it embedded anything. */
    async embed(
      signal: AbortSignal,
      work: (embedder: Embedder, options: EmbedOptions) => Promise<number>,
    ): Promise<boolean> {
      record.state = onBattery() ? 'paused' : 'embedding';
      if (record.state === 'paused') return false;
      try {
        const done = await work(await embedding.embedder(), { limit: EMBED_LIMIT, signal });
        record.embedded += done;
        return done > 0;
      } catch (error) {
        if (!(error instanceof SmartForkError) || error.code !== 'MODEL_UNAVAILABLE') throw error;
        isBroken = true;
        presence.fail('cannot embed', error.message);
        return false;
      } finally {
        record.state = 'working';
      }
    },
  };
}
