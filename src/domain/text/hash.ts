/** Node's crypto, loaded on first use: a search needs no hash, and loading takes a tenth of a short command's time. */
export function nodeCrypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto');
}

/** `sha256:` and the hex digest. */
export function sha256(text: string): string {
  return `sha256:${nodeCrypto().hash('sha256', text, 'hex')}`;
}
