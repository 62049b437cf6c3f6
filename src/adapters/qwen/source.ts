import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { createLinesSource } from '../records/lines-source.ts';
import { qwenFormat } from './format.ts';

export function createQwenSource({ homes }: { homes: string[] }): TranscriptSource {
  return createLinesSource(qwenFormat, homes);
}
