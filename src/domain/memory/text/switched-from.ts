/** What a sentence says was given up: `SQLite` in "We changed from SQLite to LMDB"; null if nothing. */
export function switchedFrom(sentence: string): string | null {
  const [, from, replaced] = SWITCHED.exec(sentence) ?? [];
  return from ?? replaced ?? null;
}

const SWITCHED =
  /\b(?:changed?|switch(?:ed)?|moved?|migrated?|went)\b[^.]{0,60}?\bfrom (.{1,80}?) to\b|\breplac(?:ed?|ing) (.{1,80}?) (?:with|by)\b/i;
