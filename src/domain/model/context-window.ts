/**
 * A model's context window in tokens, by name; null if unknown. A context larger than the usual window implies the
 * large one.
 */
export function contextWindow(model: string | null, tokens: number): number | null {
  if (model === null || !/claude|opus|sonnet|haiku/i.test(model)) return null;
  return LARGE_MODELS.test(model) || tokens > USUAL ? LARGE : USUAL;
}

const USUAL = 200_000;
const LARGE = 1_000_000;
/** Models with the large window, by suffix or by name. */
const LARGE_MODELS = /\[1m\]|opus-(?:4-[89]|[5-9])/i;
