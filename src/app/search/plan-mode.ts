import { type Problem, SmartForkError } from '../../domain/errors.ts';
import { embeddedWith, howToFind } from '../../domain/model/missing-model.ts';
import type { Coverage, RankedLists, SearchMode } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import { lacksRuntime, type ModelState } from '../../ports/embedder.ts';

/** Which lists of an answer to use, and what to tell the user about that. */
interface ModePlan {
  mode: SearchMode;
  chunks: boolean;
  intents: boolean;
  notices: Notice[];
}

interface ModeCircumstances {
  wanted: SearchMode;
  coverage: Coverage;
  model: ModelState;
  /** The model of the store's vectors; null if there are none. */
  indexed: string | null;
  /** The folder in which a model was last found. */
  lastFolder: (modelId: string) => string | null;
  /** Whether there is a server, so that another machine may have embedded. */
  isShared: boolean;
  /** Whether other machines will embed the pending passages. */
  waitsElsewhere: boolean;
  /** Why the store did not compare vectors. */
  refused: Problem | null;
}

/** With fewer points embedded, a vector list reflects what was embedded rather than what matches. */
const ENOUGH_VECTORS = 0.5;

/** @throws SmartForkError MODEL_UNAVAILABLE if mode `dense` is requested but not possible. */
export function planMode(circumstances: ModeCircumstances): ModePlan {
  const { wanted, coverage, model, waitsElsewhere, refused } = circumstances;
  const { waiting, ...counts } = coverage;
  if (wanted === 'keyword') return keywordOnly();
  if (isMissing(model)) {
    const notice = missingModel(circumstances, lacksRuntime(model));
    if (wanted !== 'dense') return keywordOnly(notice);
    throw circumstances.indexed === null
      ? modelUnavailable(model.reason)
      : modelUnavailable(notice.message.replace('keyword only: ', ''), notice.hint);
  }
  if (refused !== null) {
    const hint = refused.hint ?? undefined;
    if (wanted === 'dense') throw modelUnavailable(refused.message, hint);
    const message = `keyword only: ${refused.message}`;
    return keywordOnly({ code: 'NOT_EMBEDDED', message, hint });
  }
  const chunks = counts.chunks - waiting.chunks > counts.chunks * ENOUGH_VECTORS;
  const intents = counts.intents - waiting.intents > counts.intents * ENOUGH_VECTORS;
  if (!chunks && !intents) return nothingEmbedded(circumstances);
  if (waiting.chunks + waiting.intents === 0) return { mode: wanted, chunks, intents, notices: [] };
  const message = waitsElsewhere ? elsewhereText(coverage) : `${shareOf(coverage)} not embedded yet`;
  const hint = waitsElsewhere ? {} : { hint: 'smart-fork index' };
  return { mode: wanted, chunks, intents, notices: [{ code: 'EMBEDDINGS_WAITING', message, ...hint }] };
}

/** Reports that the index's model is missing, which may be set in another shell. Vectors from another machine are a bonus and not missed. */
function missingModel(
  { indexed, lastFolder: folderOf, isShared }: ModeCircumstances,
  isRuntime: boolean,
): Notice {
  const lastFolder = indexed === null ? null : folderOf(indexed);
  const isMissed = indexed !== null && (lastFolder !== null || !isShared);
  const code = isMissed ? 'MODEL_MISSING' : 'KEYWORD_ONLY';
  if (!isMissed || isRuntime) {
    const lacking = isRuntime ? 'onnxruntime-node' : 'the model';
    const hint = 'smart-fork model pull adds search by meaning';
    return { code, message: `keyword only: ${lacking} is not installed`, hint };
  }
  const model = { indexed, lastFolder };
  const message = `keyword only: ${embeddedWith(model)}, which is not found here`;
  return { code, message, hint: howToFind(model) };
}

export function isMissing(model: ModelState): model is Extract<ModelState, { reason: string }> {
  return model.state === 'absent' || model.state === 'broken';
}

export function usableLists(lists: RankedLists, { chunks, intents }: ModePlan): RankedLists {
  return {
    ...lists,
    chunksByVector: chunks ? lists.chunksByVector : null,
    intentsByVector: intents ? lists.intentsByVector : null,
  };
}

function nothingEmbedded({ wanted, coverage, waitsElsewhere }: ModeCircumstances): ModePlan {
  const there = elsewhereText(coverage);
  if (wanted === 'dense')
    throw waitsElsewhere
      ? modelUnavailable(there, 'Search with --mode keyword until then.')
      : modelUnavailable('no session has been embedded yet', 'Run smart-fork index.');
  if (coverage.sessions === 0) return keywordOnly();
  if (waitsElsewhere) return keywordOnly({ code: 'NO_VECTORS', message: `keyword only: ${there}` });
  const message = 'keyword only: nothing is embedded yet';
  return keywordOnly({ code: 'NO_VECTORS', message, hint: 'smart-fork index' });
}

function keywordOnly(...notices: Notice[]): ModePlan {
  return { mode: 'keyword', chunks: false, intents: false, notices };
}

function shareOf({ chunks, intents, waiting }: Coverage): string {
  return `${waiting.chunks + waiting.intents} of ${chunks + intents} passages`;
}

/** Indexing on this machine would not help. */
function elsewhereText(coverage: Coverage): string {
  return `${shareOf(coverage)} on the server not embedded yet; a machine with the model will embed them`;
}

function modelUnavailable(
  reason: string,
  hint = 'Run smart-fork model pull, or search with --mode keyword.',
): SmartForkError {
  return new SmartForkError('MODEL_UNAVAILABLE', `cannot search by meaning: ${reason}`, { hint });
}
