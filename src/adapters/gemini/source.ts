import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { geminiFormat } from './format.ts';

export function createGeminiSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(geminiFormat, homes);
}
