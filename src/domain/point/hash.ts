/**
 * Node's crypto, loaded with the first hash: a search makes none, and loading takes a tenth of a short command's time.
 */
export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** `sha256:` and the hex digest of a text. */
export function sha256(text: string): string {
  return `sha256:${nodeCrypto().createHash('sha256').update(text).digest('hex')}`;
}
