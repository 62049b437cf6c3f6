import type { TranscriptEvent } from '../../domain/session/transcript-event.ts';
import type { StepImage } from '../../domain/session/transcript-step.ts';

/** What a record says, told once: a reader makes events or steps of it. */
export interface RecordSink {
  said(message: Said): void;
  /** What the model thought; only steps have it. */
  thought?(text: string | null): void;
  called(call: { id: string | null; tool: string; input: unknown }): void;
  resulted(result: { id: string; output: string; failed: boolean; images: StepImage[] }): void;
  compacted(summary: string | null): void;
  /** What is no message: the session's title, its folder, its parent. */
  noted(event: Extract<TranscriptEvent, { kind: 'context' | 'title' | 'parent' }>): void;
}

export interface Said {
  role: 'user' | 'assistant';
  /** The user's own words, or what the agent answered. */
  text: string;
  uuid: string | null;
  /** For the agent: whether this ended its turn; absent if the transcript does not say so. */
  closes?: boolean | undefined;
}
