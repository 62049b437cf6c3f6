/** What an indexing run did. */
export interface IndexReport {
  found: number;
  indexed: number;
  unchanged: number;
  /** Transcripts without a single message. */
  empty: number;
  /** Kept out by the user's privacy rules, or forgotten. */
  excluded: number;
  /** Copies of a session's transcript; the longest one counts. */
  duplicates: number;
  failed: { path: string; reason: string }[];
  /** Points written. */
  points: number;
  skipped: Record<string, number>;
  interrupted: boolean;
}

export function emptyReport(): IndexReport {
  return {
    found: 0,
    indexed: 0,
    unchanged: 0,
    empty: 0,
    excluded: 0,
    duplicates: 0,
    failed: [],
    points: 0,
    skipped: {},
    interrupted: false,
  };
}
