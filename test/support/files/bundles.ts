import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { type Header, pack } from 'tar-stream';

/** An age key: the file for `--identity`, and the recipient. */
export async function writeIdentity(path: string): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity();
  writeFileSync(path, `# a key for tests\n${identity}\n`, { mode: 0o600 });
  return { identity, recipient: await identityToRecipient(identity) };
}

export interface RawEntry extends Partial<Header> {
  name: string;
  text?: string | Buffer;
}

/** A bundle with any entries, sealed like the exporter's. */
export async function sealEntries(entries: RawEntry[], recipient: string): Promise<Uint8Array> {
  const packed = pack();
  for (const { text, ...header } of entries) {
    if (text === undefined) packed.entry(header);
    else packed.entry(header, text);
  }
  packed.finalize();
  return sealBytes(gzipSync(await buffer(packed)), recipient);
}

export function sealBytes(bytes: Uint8Array, recipient: string): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(bytes);
}
