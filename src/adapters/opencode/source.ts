import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { opencodeFormat } from './format.ts';

export function createOpencodeSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(opencodeFormat, homes);
}
