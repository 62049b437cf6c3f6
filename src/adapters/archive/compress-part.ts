import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { PART_BYTES } from '../../ports/session-archive.ts';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** Measured on real transcripts: 0.145 of the size at 85 MB/s. gzip: 0.2 at 75 MB/s. Higher quality gains nothing. */
const QUALITY = 5;
const WINDOW_BITS = 20;

/** Runs in libuv's thread pool. */
export function compressPart(raw: Uint8Array): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = {
    [BROTLI_PARAM_QUALITY]: QUALITY,
    [BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    [BROTLI_PARAM_SIZE_HINT]: raw.length,
  };
  return compress(raw, { params });
}

/** Stops at the number of bytes that the manifest declares, whatever the part contains. */
export function decompressPart(compressed: Uint8Array, declared: number): Promise<Buffer> {
  return decompress(compressed, { maxOutputLength: Math.max(1, Math.min(declared, PART_BYTES)) });
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
