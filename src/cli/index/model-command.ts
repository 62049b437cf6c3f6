import { type Problem, problemOf, SmartForkError } from '../../domain/errors.ts';
import { DEFAULT_MODEL, knownModel } from '../../domain/model/known-models.ts';
import { bytes } from '../../domain/text/time-text.ts';
import { lacksRuntime, type ModelState } from '../../ports/embedder.ts';
import { type CommandContext, defineCommand, EXIT, runCommand } from '../run-command.ts';

export const modelCommand = defineCommand({
  command: 'model <action>',
  describe: 'install, inspect or remove the embedding model',
  builder: (yargs) =>
    yargs
      .positional('action', { choices: ['pull', 'status', 'remove'] as const, demandOption: true })
      .option('json', { type: 'boolean', describe: 'print as JSON' })
      .example(
        '$0 model pull',
        'install the model and onnxruntime-node, which runs it, to search by meaning too',
      )
      .epilogue(
        'On a machine that cannot reach the hub, set SMART_FORK_MODEL_DIR to a copy of the model folder.\nA Qdrant Cloud cluster can embed instead: smart-fork config set embedding.provider qdrant-cloud',
      ),
  handler: (args) => runCommand(args, (context) => ACTIONS[args.action](context, args.json === true)),
});

const ACTIONS = {
  async status({ config, parts, terminal }: CommandContext, asJson: boolean) {
    const state = await parts.embedding.state();
    const record = await parts.embedding.model();
    const refusal = state.state === 'server' ? ((await parts.sharing())?.notEmbedded() ?? null) : null;
    const store = parts.storeExists() ? await (await parts.store()).info() : null;
    if (asJson)
      return terminal.out(
        JSON.stringify({
          model: record.id,
          ...state,
          problem: state.state === 'server' ? refusal && problemOf(refusal) : undefined,
          store_model: store?.model ?? null,
        }),
      );
    terminal.out(`${record.id} (${record.dimensions} dimensions): ${describeState(state, refusal)}`);
    if (refusal?.hint) terminal.out(refusal.hint);
    if (store?.model)
      terminal.out(`The index was embedded with ${store.model.id} (${store.model.dimensions} dimensions).`);
    const isMissing = state.state === 'absent' || state.state === 'broken';
    if (isMissing && (lacksRuntime(state) || config.embedding.modelDirectory === null))
      terminal.out('Install it: smart-fork model pull');
  },
  async pull(context: CommandContext, asJson: boolean) {
    const state = await context.parts.embedding.state();
    if (state.state === 'server') throw nothingToPull(state.place);
    const { runModelPull } = await import('./run-model-pull.ts');
    const directory = await runModelPull(context, asJson);
    const id = context.config.embedding.model ?? DEFAULT_MODEL;
    context.terminal.out(
      asJson
        ? JSON.stringify({ model: id, directory })
        : `${id} is in ${directory}.\nEmbed the indexed sessions: smart-fork index`,
    );
  },
  async remove({ config, terminal }: CommandContext, asJson: boolean) {
    const id = config.embedding.model ?? DEFAULT_MODEL;
    const { removeModel } = await import('../../compose/embedding.ts');
    const freed = await removeModel(config.embedding.cacheDirectory, id, knownModel(id)?.file);
    if (freed === 0) process.exitCode = EXIT.failed;
    if (asJson) return terminal.out(JSON.stringify({ model: id, freed_bytes: freed }));
    terminal.out(
      freed === 0
        ? `${id} is not in ${config.embedding.cacheDirectory}.`
        : `Removed ${id}: ${bytes(freed)} freed.`,
    );
  },
};

function describeState(state: ModelState, refusal: Problem | null): string {
  if (state.state === 'ready') return `ready in ${state.directory}`;
  if (state.state === 'server')
    return refusal === null ? `used by ${state.place}` : `refused by ${state.place}: ${refusal.message}`;
  return `${state.state === 'absent' ? 'not installed' : state.state}: ${state.reason}`;
}

function nothingToPull(place: string): SmartForkError {
  return new SmartForkError('USAGE', `this machine needs no model: ${place} embeds`, {
    hint: 'To use a local model: smart-fork config set embedding.provider local',
  });
}
