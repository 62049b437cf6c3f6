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

/** A prompt's text or, if it has none, `[Image]` or `[Document]` for each file that is sent with it. */
export function orMarks(text: string, content: unknown): string {
  if (text.trim() !== '') return text;
  return partsOf(content)
    .flatMap((part) => markOf(part) ?? [])
    .join(' ');
}

function markOf(part: Record<string, unknown>): string | null {
  const { type, mimeType, mime, path } = asRecord(part.inlineData) ?? asRecord(part.fileData) ?? part;
  const kind = asText(mimeType) ?? asText(mime);
  if (type === 'image' || kind?.startsWith('image/') || IMAGE.test(asText(path) ?? '')) return '[Image]';
  return kind !== null || type === 'document' || type === 'file' ? '[Document]' : null;
}

const IMAGE = /\.(?:png|jpe?g|gif|webp|bmp|heic|svg)$/i;
