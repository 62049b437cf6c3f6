/** Why texts get no vectors. */
export interface Refusal {
  message: string;
  hint: string | null;
}

export function refusalOf({ message, hint = null }: { message: string; hint?: string | null }): Refusal {
  return { message, hint };
}

/**
 * What this machine remembers of a server whose embedding service refuses: it is left alone for a while, by all processes, since
 * every request with texts to embed would be made twice. Never throws: what cannot be remembered is tried again.
 */
export interface EmbeddingRefusals {
  /** Null when the service may be asked. */
  current(): Refusal | null;
  /** The service is left alone from now on, longer each time. */
  note(refusal: Refusal): void;
  /** It does what it is asked. */
  clear(): void;
}
