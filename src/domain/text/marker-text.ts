const TEXTS: Record<string, string> = {
  PATTERN: 'reusable pattern',
  WORKING_SOLUTION: 'working solution',
  WAITING: 'unfinished',
};

/** A memory marker in words. */
export function markerText(marker: string): string {
  return TEXTS[marker] ?? marker;
}
