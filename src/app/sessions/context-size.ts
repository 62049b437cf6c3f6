import { contextWindow } from '../../domain/model/context-window.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { ContextSize, TranscriptFile, TranscriptSource } from '../../ports/transcript-source.ts';
import type { SessionPart } from './session-part.ts';

/** How much of the model's context the session, or a part of it, takes; null if its transcript does not say. */
export function contextSize(
  source: TranscriptSource | undefined,
  session: SessionPayload,
  transcript: TranscriptFile | null,
  part: SessionPart | null = null,
): ContextSize | null {
  const path = part?.path ?? transcript?.path ?? null;
  const size = path === null ? null : (source?.facts?.contextSize(path, part?.end) ?? null);
  return size && { tokens: size.tokens, window: size.window ?? contextWindow(session.model, size.tokens) };
}
