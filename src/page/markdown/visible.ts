/**
 * Spells out control characters and direction marks in text from a transcript: they could make the displayed command differ from the
 * one that is copied.
 */
export function visible(text: string): string {
  return text.replace(
    HIDDEN,
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

const HIDDEN =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}](?<![\t\n\r])/gu;
