/**
 * How many tokens a model takes, by its name; null when nothing is known of it. A context that is larger than the usual window
 * has shown that there is a larger one.
 */
export function contextWindow(model: string | null, tokens: number): number | null {
  if (model === null || !/claude|opus|sonnet|haiku/i.test(model)) return null;
  return LARGE_MODELS.test(model) || tokens > USUAL ? LARGE : USUAL;
}

const USUAL = 200_000;
const LARGE = 1_000_000;
/** Named as such, or a model that has the large window everywhere. */
const LARGE_MODELS = /\[1m\]|opus-(?:4-[89]|[5-9])/i;
