import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { gooseFormat } from './format.ts';

export function createGooseSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(gooseFormat, homes);
}
