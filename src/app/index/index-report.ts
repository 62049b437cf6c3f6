/** The result of an indexing run. */
export interface IndexReport {
  found: number;
  indexed: number;
  /** Sessions indexed from their prompts only, because they have no transcript. They are not counted elsewhere. */
  onlyPrompts: number;
  unchanged: number;
  /** Transcripts without messages, or with no others than their parent's. */
  empty: number;
  /** Excluded by privacy rules, or forgotten. */
  excluded: number;
  /** Further copies of a session's transcript; only the longest is indexed. */
  duplicates: number;
  failed: { path: string; reason: string }[];
  /** Number of points written. */
  points: number;
  skipped: Record<string, number>;
  interrupted: boolean;
}

export function emptyReport(): IndexReport {
  return {
    found: 0,
    indexed: 0,
    onlyPrompts: 0,
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
