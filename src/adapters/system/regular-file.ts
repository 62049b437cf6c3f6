import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';

/**
 * Opens a regular file for reading. Opening a pipe would wait for its writer, which no signal ends, and a device might never end.
 * @throws an Error for anything else, with its `code` if the system refuses it
 */
export function openRegular(path: string): { file: number; stat: Stats } {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stat = fstatSync(file);
  if (stat.isFile()) return { file, stat };
  closeSync(file);
  throw new Error('it is not a file');
}

/** The bytes of a regular file, as `openRegular` opens it. */
export function readRegular(path: string): Buffer {
  const { file } = openRegular(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The text of a regular file, as `openRegular` opens it. */
export function readRegularText(path: string): string {
  return readRegular(path).toString('utf8');
}

/** How many NUL bytes there are at the beginning: a power loss leaves blocks of them. */
export function leadingNuls(bytes: Uint8Array): number {
  let at = 0;
  while (bytes[at] === 0) at += 1;
  return at;
}
