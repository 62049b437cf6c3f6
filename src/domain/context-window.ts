/**
 * How many tokens a model takes, by its name; null when nothing is known of it. A context that is larger than the usual window
 * has shown that there is a larger one.
 */
export function contextWindow(model: string | null, tokens: number): number | null {
  if (model === null || !/claude|opus|sonnet|haiku/i.test(model)) return null;
  return /\[1m\]/i.test(model) || tokens > USUAL ? LARGE : USUAL;
}

const USUAL = 200_000;
const LARGE = 1_000_000;
