/** A key as reported by readline. */
export interface Key {
  name?: string;
  sequence?: string;
  ctrl?: boolean;
  meta?: boolean;
}

export function isEnter({ name }: Key): boolean {
  return name === 'return' || name === 'enter';
}

/** The text that a key types; null for a command. */
export function typedText({ ctrl, meta, sequence = '' }: Key): string | null {
  return ctrl || meta || sequence === '' || /[\x00-\x1f\x7f]/.test(sequence) ? null : sequence;
}

/** A text without its last character. */
export function withoutLast(text: string): string {
  const last = [...new Intl.Segmenter().segment(text)].at(-1);
  return text.slice(0, last?.index ?? 0);
}
