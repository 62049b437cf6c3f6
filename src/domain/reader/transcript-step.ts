/**
 * What a reader shows of a turn, in the order of the transcript's lines: what was said, and each tool call with its whole input and
 * output. Texts are cleaned, but not redacted yet.
 */
export type TranscriptStep =
  | { kind: 'text'; text: string }
  | {
      kind: 'call';
      /** The call's id, which its result names. */
      id: string | null;
      name: string;
      /** The line of the call, as in `Turn.tools`. */
      summary: string;
      /** The command, or the arguments as JSON; null if the edits say it all. */
      input: string | null;
      edits: FileEdit[];
    }
  | { kind: 'result'; id: string | null; output: string; failed: boolean; images: StepImage[] }
  | { kind: 'compaction'; summary: string | null };

/** A change of a file. `before` is empty for a file that is written whole. */
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

/** Larger images are left out. */
const MAX_IMAGE_LENGTH = 3_000_000;
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** An image that a reader can show; none for any other type, and for what is not base64. */
export function showableImage(mime: unknown, data: unknown): StepImage[] {
  if (typeof mime !== 'string' || typeof data !== 'string' || !IMAGE_TYPES.includes(mime)) return [];
  if (data.length > MAX_IMAGE_LENGTH || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return [];
  return [{ mime, data }];
}
