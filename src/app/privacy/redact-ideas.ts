import type { Idea } from '../../domain/session/ideas.ts';
import type { Redactor } from '../../ports/redactor.ts';

/** Redacts a model's ideas, which may combine parts into a secret, or have been recorded before a pattern was added. */
export async function redactIdeas(redactor: Redactor, ideas: Idea[]): Promise<Idea[]> {
  if (ideas.length === 0) return ideas;
  const texts = await redactor.redact(
    ideas.flatMap(({ content, quote }) => [{ text: content }, { text: quote }]),
  );
  return ideas.map((idea, at) => ({
    ...idea,
    content: texts[2 * at]?.text ?? '',
    quote: texts[2 * at + 1]?.text ?? '',
  }));
}
