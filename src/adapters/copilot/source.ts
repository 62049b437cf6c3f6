import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createLinesSource } from '../records/lines-source.ts';
import { copilotFormat } from './format.ts';

export function createCopilotSource({ homes }: { homes: string[] }): TranscriptSource {
  return createLinesSource(copilotFormat, homes);
}
