import type { TimeLimit } from './time-limit.ts';

/** A text to redact before it is stored, embedded or sent. */
export interface RedactableText {
  text: string;
  /** The key of the JSON property that holds the text, if known. */
  name?: string;
}

export interface Redaction {
  text: string;
  /** The rule of each replaced secret, or `private` for a removed passage; never the secret itself. */
  rules: string[];
}

/**
 * Removes secrets from transcript texts.
 *
 * - Each secret becomes `[REDACTED:<rule>]`; `<private>…</private>` is removed.
 * - Results are in the order of the texts. Texts are independent: reading a transcript in parts gives the same result.
 * - Given the same patterns, every machine gives the same result, however slow it is.
 * - Redacting a redacted text changes nothing and reports nothing.
 * - A mark has no quote, backslash or line break: a JSON string stays valid.
 * - Rules are loaded for the first text that might contain a secret. The first call compiles the user's patterns, even without
 *   texts.
 * - Throws SmartForkError CONFIG_INVALID for an invalid user pattern; TRANSCRIPT_UNREADABLE if `limit` is over.
 */
export interface Redactor {
  redact(texts: RedactableText[], limit?: TimeLimit): Promise<Redaction[]>;
}
