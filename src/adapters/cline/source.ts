import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createDocumentSource } from '../records/document-source.ts';
import { taskFormat } from './format.ts';

export function createClineSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(taskFormat('cline'), homes);
}
