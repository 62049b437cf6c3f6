import { SmartForkError } from '../../../domain/errors.ts';

export interface ServerVersion {
  /** As the server says it; null when it doesn't. */
  text: string | null;
  /** From 1.16 on: conditional writes, and metadata of a collection. */
  hasConditions: boolean;
}

const OLDEST = [1, 13] as const;
const WITH_CONDITIONS = [1, 16] as const;

/** @throws SmartForkError STORE_INCOMPATIBLE for a server that is too old. */
export function readVersion(text: string | null, address: string): ServerVersion {
  const match = /^v?(\d+)\.(\d+)/.exec(text ?? '');
  if (match === null) return { text: null, hasConditions: true };
  const version = [Number(match[1]), Number(match[2])] as const;
  if (isBefore(version, OLDEST)) {
    throw new SmartForkError(
      'STORE_INCOMPATIBLE',
      `Qdrant at ${address} is version ${text}; 1.13 or later is needed`,
      {
        hint: 'Update the server, for instance to the image qdrant/qdrant:v1.18.',
      },
    );
  }
  return { text, hasConditions: !isBefore(version, WITH_CONDITIONS) };
}

function isBefore(version: readonly [number, number], other: readonly [number, number]): boolean {
  return version[0] < other[0] || (version[0] === other[0] && version[1] < other[1]);
}
