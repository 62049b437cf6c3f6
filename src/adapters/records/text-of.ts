import { type StepImage, showableImage } from '../../domain/session/transcript-step.ts';
import { asList, asRecord, asText } from '../jsonl/read-value.ts';

/** The text of a content that is a string or a list of parts; `wanted` chooses the parts. */
export function textOf(
  content: unknown,
  wanted: (part: Record<string, unknown>) => boolean = () => true,
): string {
  if (typeof content === 'string') return content.toWellFormed();
  return partsOf(content)
    .filter(wanted)
    .flatMap((part) => asText(part.text) ?? [])
    .join('\n');
}

export function partsOf(content: unknown): Record<string, unknown>[] {
  return asList(content)
    .map(asRecord)
    .filter((part) => part !== null);
}

/** The images of a content whose parts have `data` and `mimeType`. */
export function imagesOf(content: unknown): StepImage[] {
  return partsOf(content).flatMap((part) => showableImage(part.mimeType, part.data));
}
