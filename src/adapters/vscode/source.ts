import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { vscodeFormat } from './format.ts';

export function createVscodeSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(vscodeFormat, homes);
}
