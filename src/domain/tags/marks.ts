/**
 * Stars and notes are stored as tags that no user can type, so they are sent, merged, encrypted and forgotten like tags.
 * If two machines write a note at the same time, both notes are kept.
 */
export const STARRED = '*star';
export const NOTED = '*note';

const NOTE = '*note: ';
export const LONGEST_NOTE = 300;

export interface Marks {
  /** Without marks. */
  tags: string[];
  starred: boolean;
  note: string | null;
}

/** The marks and tags in a session's stored tags. */
export function readMarks(stored: string[]): Marks {
  const notes = stored.filter((tag) => tag.startsWith(NOTE)).map((tag) => tag.slice(NOTE.length));
  return {
    tags: stored.filter((tag) => !isMark(tag)),
    starred: stored.includes(STARRED),
    note: notes.length === 0 ? null : notes.join(' / '),
  };
}

export function withStar(stored: string[], starred: boolean): string[] {
  const others = stored.filter((tag) => tag !== STARRED);
  return starred ? [...others, STARRED] : others;
}

/** Null removes the note. */
export function withNote(stored: string[], note: string | null): string[] {
  const others = stored.filter((tag) => tag !== NOTED && !tag.startsWith(NOTE));
  return note === null ? others : [...others, NOTED, `${NOTE}${note}`];
}

function isMark(tag: string): boolean {
  return tag.startsWith('*');
}

/** A tag as it is stored: `#Baseline` is `baseline`. */
export function plainTag(text: string): string {
  return text.trim().replace(/^#/, '').toLowerCase();
}
