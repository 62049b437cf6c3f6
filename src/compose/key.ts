import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { readKeyFile, writeKeyFile } from '../adapters/sealed/key-file.ts';
import { openSealedRemoteStore } from '../adapters/sealed/sealed-remote-store.ts';
import { createSealer, type Sealer } from '../adapters/sealed/sealer.ts';
import { keyFromText, keyToText, makeKey, type SealingKey } from '../adapters/sealed/sealing-key.ts';
import type { Config } from '../config/config.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { RemoteStore } from '../ports/remote-store.ts';

export { isSharedFile } from '../adapters/system/is-shared-file.ts';

/** A key written to disk; `kept` is the path of the key it replaced. */
export interface PlacedKey {
  id: string;
  path: string;
  kept: string | null;
}

type SealSettings = Pick<Config, 'home' | 'encryption'>;

export function keyPath({ home }: Pick<Config, 'home'>): string {
  return join(home, 'key');
}

/** The id of this machine's key; null if there is none. */
export function keyId(config: Config): string | null {
  return readKeyFile(keyPath(config))?.id ?? null;
}

/** @param force replaces an existing key. */
export async function createKey(config: Config, passphrase: string, force: boolean): Promise<PlacedKey> {
  if (!force) refuseOtherKey(config);
  return placeKey(config, await makeKey(passphrase));
}

/** @param force replaces an existing key. */
export function importKey(config: Config, text: string, force: boolean): PlacedKey {
  const key = keyFromText(text);
  if (!force) refuseOtherKey(config, key);
  return placeKey(config, key);
}

export function exportKey(config: Config): string {
  return keyToText(requireKey(config));
}

/**
 * Opens the store on a server, with sealed texts if encryption is on. `open` receives the seal's id, or null for plain text.
 * @throws SmartForkError CONFIG_INVALID if encryption is on and there is no key.
 */
export function openServerStore(
  config: SealSettings,
  open: (seal: string | null) => RemoteStore,
): RemoteStore {
  const sealer = serverSealer(config);
  return sealer === null ? open(null) : openSealedRemoteStore(sealer, open);
}

/** Creates the sealer for texts sent to the server; null if encryption is off. */
export function serverSealer(config: SealSettings): Sealer | null {
  return config.encryption ? createSealer(requireKey(config).master) : null;
}

function requireKey(config: Pick<Config, 'home'>): SealingKey {
  const key = readKeyFile(keyPath(config));
  if (key !== null) return key;
  throw new SmartForkError('CONFIG_INVALID', `there is no key in ${keyPath(config)}`, {
    hint: 'Create one: smart-fork key create. If another machine has the key, run smart-fork key export there and smart-fork key import here.',
  });
}

/** @throws SmartForkError USAGE if this machine has a key other than `key`. */
export function refuseOtherKey(config: Config, key: SealingKey | null = null): void {
  const path = keyPath(config);
  const known = readKeyFile(path);
  if (known === null || known.id === key?.id) return;
  throw new SmartForkError('USAGE', `${path} already contains another key, ${known.id}`, {
    hint: `With --force this machine can no longer read data on the server that was sealed with the old key. Save it first: smart-fork key export. Its file is kept as ${path}-${known.id}.`,
  });
}

/** Never deletes a key: the data it sealed would be lost. */
function placeKey(config: Config, key: SealingKey): PlacedKey {
  const path = keyPath(config);
  const kept = keepOther(path, key);
  writeKeyFile(path, key);
  return { id: key.id, path, kept };
}

/** Saves the old key, or a damaged key file, under another name. */
function keepOther(path: string, key: SealingKey): string | null {
  let known: SealingKey | null;
  try {
    known = readKeyFile(path);
  } catch {
    renameSync(path, `${path}-damaged`);
    return `${path}-damaged`;
  }
  if (known === null || known.id === key.id) return null;
  writeKeyFile(`${path}-${known.id}`, known);
  return `${path}-${known.id}`;
}
