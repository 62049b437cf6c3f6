import type { IndexSummary } from '../../domain/summary.ts';
import type { CommandContext } from '../run-command.ts';

/** Embedding takes minutes to hours, while keyword search already works. */
export async function embedInBackground(
  { config, env, parts, terminal, signal }: CommandContext,
  { waiting }: IndexSummary,
): Promise<void> {
  const passages = waiting.intents + waiting.chunks;
  if (passages === 0 || signal.aborted || (await parts.embedding.state()).state !== 'ready') return;
  const { composeInit } = await import('../../compose/init.ts');
  composeInit(config, env).startWorker();
  terminal.out(
    `The worker embeds ${passages === 1 ? 'it' : 'them'} in the background: smart-fork status shows the progress.`,
  );
}
