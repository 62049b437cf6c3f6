/** A text to redact before it is stored, embedded or sent. */
export interface RedactableText {
  text: string;
  /** The key of the JSON property that the text is the value of, if known. */
  name?: string;
}

export interface Redaction {
  text: string;
  /** The rule of each replaced secret, `private` for a removed passage; never the secret itself. */
  rules: string[];
}

/**
 * Removes secrets from texts of a transcript.
 *
 * - Each secret becomes `[REDACTED:<rule>]`; `<private>…</private>` is removed.
 * - Results are in the order of the texts. Texts are independent, so reading a transcript in parts gives the same result.
 * - The same text gives the same result on every machine with the same patterns, however slow.
 * - Redacting a redacted text changes nothing and reports nothing.
 * - A mark has no quote, backslash or line break: a JSON string stays valid.
 * - Rules are loaded for the first text that may hold a secret. The user's patterns are compiled by the first call, even
 *   without texts.
 * - Throws SmartForkError CONFIG_INVALID for an invalid user pattern.
 */
export interface Redactor {
  redact(texts: RedactableText[]): Promise<Redaction[]>;
}
