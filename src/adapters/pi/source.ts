import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createLinesSource } from '../records/lines-source.ts';
import { piFormat } from './format.ts';

export function createPiSource({ homes }: { homes: string[] }): TranscriptSource {
  return createLinesSource(piFormat, homes);
}
