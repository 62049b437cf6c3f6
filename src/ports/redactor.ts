/** A text that is about to be stored, embedded or sent. */
export interface RedactableText {
  text: string;
  /** What the text is the value of, where that is known: the key of a JSON property. */
  name?: string;
}

export interface Redaction {
  text: string;
  /** The rule of each secret that was replaced, `private` for what was taken out; never the secret. */
  rules: string[];
}

/**
 * Keeps secrets out of what leaves a transcript.
 *
 * - Each secret becomes `[REDACTED:<rule>]`; what stands in `<private>…</private>` becomes nothing.
 * - Answers stand in the order of the texts. One text never changes what another one becomes, so a transcript that
 *   is read in parts gives the same as one that is read at once.
 * - The same text gives the same answer on every machine with the same patterns, however long it takes there.
 * - Redacting what was redacted changes nothing and reports nothing.
 * - A mark holds no quote, no backslash and no line break: a JSON string stays one.
 * - The rules are loaded with the first text that may hold a secret; the user's patterns are compiled with the first
 *   call, which may be one with no texts.
 * - Throws SmartForkError CONFIG_INVALID for a pattern of the user's that cannot be used.
 */
export interface Redactor {
  redact(texts: RedactableText[]): Promise<Redaction[]>;
}
