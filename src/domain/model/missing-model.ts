export interface IndexedModel {
  /** Null if the index has no vectors. */
  indexed: string | null;
  /** The folder in which the model was last found; null if unknown. */
  lastFolder: string | null;
}

export const PULL = 'smart-fork model pull';
export const SET_FOLDER = 'set SMART_FORK_MODEL_DIR to a model folder';

/** "the index was embedded with acme/model (last found in /models/acme)" */
export function embeddedWith({ indexed, lastFolder }: IndexedModel): string {
  return `the index was embedded with ${indexed}${lastFolder === null ? '' : ` (last found in ${lastFolder})`}`;
}

/** Advice on how to get the model back. */
export function howToFind({ lastFolder }: IndexedModel): string {
  return lastFolder === null ? `${PULL}, or ${SET_FOLDER}` : `set SMART_FORK_MODEL_DIR=${lastFolder}`;
}
