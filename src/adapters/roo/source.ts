import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { taskFormat } from '../cline/format.ts';
import { createDocumentSource } from '../records/document-source.ts';

/** Roo Code began as a copy of Cline, and writes its tasks as Cline did. */
export function createRooSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(taskFormat('roo'), homes);
}
