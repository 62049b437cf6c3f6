import type { TranscriptEvent } from './transcript-event.ts';

/**
 * A step of a turn as readers show it, in the order of the transcript's lines: a message, or a tool call with its complete input and
 * output. Texts are cleaned but not yet redacted.
 */
export type TranscriptStep =
  | { kind: 'text'; text: string }
  /** What the model thought before it went on. Only readers show it: it is never indexed. */
  | { kind: 'thinking'; text: string }
  | {
      kind: 'call';
      /** The call's id, repeated by its result. */
      id: string | null;
      name: string;
      /** The line of the call, as in `Turn.tools`. */
      summary: string;
      /** The command, or the arguments as JSON; null if `edits` contain everything. */
      input: string | null;
      edits: FileEdit[];
    }
  | { kind: 'result'; id: string | null; output: string; failed: boolean; images: StepImage[] }
  | { kind: 'compaction'; summary: string | null };

/** A change to a file. `before` is empty if the whole file is written. */
export interface FileEdit {
  path: string;
  before: string;
  after: string;
}

export interface StepImage {
  mime: string;
  /** Base64. */
  data: string;
}

/** What the model thought, if the transcript has it in words. */
export function thinkingStep(text: string | null): TranscriptStep[] {
  return text === null || text.trim() === '' ? [] : [{ kind: 'thinking', text: text.trim() }];
}

/** The arguments of a call as a reader shows them; null if it has none. */
export function inputText(args: Record<string, unknown>): string | null {
  return Object.keys(args).length === 0 ? null : JSON.stringify(args, null, 2).toWellFormed();
}

/** The step that an event is on its own; none for events that are part of a step, or not shown. */
export function stepOf(event: TranscriptEvent): TranscriptStep[] {
  if (event.kind === 'compaction') return [{ kind: 'compaction', summary: event.summary }];
  const isText = event.kind === 'message' && event.role === 'assistant';
  return isText ? [{ kind: 'text', text: event.text }] : [];
}

/** In base64 characters; larger images are left out. */
const MAX_IMAGE_LENGTH = 3_000_000;
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The image if a reader can show it; none for other types and for invalid base64. */
export function showableImage(mime: unknown, data: unknown): StepImage[] {
  if (typeof mime !== 'string' || typeof data !== 'string' || !IMAGE_TYPES.includes(mime)) return [];
  if (data.length > MAX_IMAGE_LENGTH || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return [];
  return [{ mime, data }];
}
