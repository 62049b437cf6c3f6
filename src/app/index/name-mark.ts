import { sha256 } from '../../domain/text/hash.ts';

/** Shows whether a session got another name, without keeping it: agents make names of prompts, in which there may be a secret. */
export function nameMarkOf({ name }: { name?: string }): string | null {
  return name === undefined ? null : sha256(name).slice(-MARK_LENGTH);
}

const MARK_LENGTH = 16;
