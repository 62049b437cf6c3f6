/** Prints without a terminal's look. A reader that has gone, as with `| head`, is no error. */
export function print(text: string): void {
  const { stdout } = process;
  if (!stdout.listeners('error').includes(ignoreGone)) stdout.on('error', ignoreGone);
  stdout.write(text);
}

function ignoreGone(error: NodeJS.ErrnoException): void {
  if (!isReaderGone(error)) throw error;
}

/** Errors of a closed pipe, and EIO of a closed terminal. */
export function isReaderGone({ code = '' }: NodeJS.ErrnoException): boolean {
  return ['EPIPE', 'EOF', 'EIO', 'ERR_STREAM_DESTROYED'].includes(code);
}
