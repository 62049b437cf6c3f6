import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { cursorFormat } from './format.ts';

export function createCursorSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(cursorFormat, homes);
}
